import { BlockList, isIP } from 'node:net'

type Range = readonly [network: string, prefix: number, what: string]

/** Special ranges by the IANA registry of IPv4, and the addresses at which clouds give out credentials. */
const IPV4: readonly Range[] = [
  ['168.63.129.16', 32, 'a cloud service of this machine'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private to a provider'],
  ['127.0.0.0', 8, 'this machine'],
  ['169.254.0.0', 16, 'link-local, where clouds give out credentials'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'for documents only'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'for measurements only'],
  ['198.51.100.0', 24, 'for documents only'],
  ['203.0.113.0', 24, 'for documents only'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
]

/**
 * Public IPv6 lies in 2000::/3. What is not there (this machine, private, link-local, multicast, IPv4 in disguise, NAT64) is
 * refused as a whole, and so is what in it leads elsewhere.
 */
const IPV6: readonly Range[] = [
  ['2001::', 23, 'reserved or a tunnel'],
  ['2001:db8::', 32, 'for documents only'],
  ['2002::', 16, 'a tunnel to an IPv4 address'],
  ['3fff::', 20, 'for documents only'],
]

const checks = (ranges: readonly Range[], family: 'ipv4' | 'ipv6') =>
  ranges.map(([network, prefix, what]) => {
    const list = new BlockList()
    list.addSubnet(network, prefix, family)
    return { what, holds: (address: string) => list.check(address, family) }
  })

const IPV4_CHECKS = checks(IPV4, 'ipv4')
const IPV6_CHECKS = checks(IPV6, 'ipv6')
const GLOBAL = checks([['2000::', 3, 'global']], 'ipv6')

/** Why a command may not be led to this address, as half a sentence; undefined for a public one. */
export function whyNotPublic(address: string): string | undefined {
  const family = isIP(address)
  if (family === 4) return IPV4_CHECKS.find(({ holds }) => holds(address))?.what
  if (family !== 6 || address.includes('%')) return 'no address that can be checked'
  if (!GLOBAL.some(({ holds }) => holds(address))) return 'not a public address'
  return IPV6_CHECKS.find(({ holds }) => holds(address))?.what
}
