import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNotPublic } from './network-address.ts'

const REFUSED = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['100.64.0.1', '100.100.100.200', '169.254.169.254', '169.254.0.1', '168.63.129.16', '192.0.0.192'],
  ...['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1', '203.0.113.9'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1', '100::1'],
  ...['::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1', '::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1'],
  ...['2002:7f00:1::', '2002:a00:1::1', '2001::1', '2001:0:0a00:1::', '2001:db8::1', '3fff::1', '5f00::1'],
  ...['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3.4.5'],
]
for (const address of REFUSED)
  test(`a command is not led to "${address}"`, () => assert.notEqual(whyNotPublic(address), undefined))

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '223.255.255.1',
]
const PUBLIC_6 = ['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '2620:fe::fe']
for (const address of [...PUBLIC, ...PUBLIC_6])
  test(`${address} is public`, () => assert.equal(whyNotPublic(address), undefined))
