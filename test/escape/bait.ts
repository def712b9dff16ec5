import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'

const MEBIBYTE = 1 << 20

/** Small, so that running into them hurts nobody. */
export const LIMITS = { processes: 32, fileSize: 8 * MEBIBYTE, tempSpace: 8 * MEBIBYTE } as const

/** What the attempts are told about the host: where its secret lies and who would answer. */
export interface Bait {
  /** Reversed, so that an attempt which finds the secret has not found its own instructions. */
  readonly secretReversed: string
  /** A file with the secret, beside the working copy. */
  readonly outside: string
  /** A home folder with an SSH key that holds the secret. */
  readonly home: string
  /** Host path of the tree that is seen as the workspace. */
  readonly copy: string
  /** Ports on the host's loopback, an abstract socket and a socket file that answer with the secret. */
  readonly tcp: number
  readonly udp: number
  readonly abstract: string
  readonly socket: string
  /** Id of a piece of the host's shared memory. */
  readonly sharedMemory: number
  /** A process of the host, of the same user. */
  readonly victim: number
  readonly hostname: string
  readonly limits: typeof LIMITS
}

/** Everything on the host that would answer. */
export interface Answering extends AsyncDisposable {
  readonly bait: Omit<Bait, 'outside' | 'copy'>
  /** Makes a socket file answer, too. */
  listenAt(path: string): Promise<void>
  readonly victim: ChildProcess
}

export interface BaitOptions {
  readonly folder: string
  readonly secret: string
  readonly sharedMemory: number
  readonly user: { readonly uid: number; readonly gid: number; readonly dropped: boolean }
}

export async function layBait({ folder, secret, sharedMemory, user }: BaitOptions): Promise<Answering> {
  const servers: Server[] = []
  const listen = async (where: { readonly path: string } | { readonly port: number; readonly host: string }) => {
    const server = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end(secret),
    )
    servers.push(server.listen(where))
    await once(server, 'listening')
    return server.address()
  }
  const udp = createSocket('udp4', (_, from) => udp.send(secret, from.port, from.address))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  const listenAt = async (path: string): Promise<void> => {
    await listen({ path })
    chmodSync(path, 0o777)
  }
  const abstract = `tao-escape-${process.pid}`
  const { port } = (await listen({ port: 0, host: '127.0.0.1' })) as AddressInfo
  await listen({ path: `\0${abstract}` })
  const socket = join(folder, 'agent.sock')
  await listenAt(socket)
  const victim = spawn('/bin/sleep', ['600'], {
    stdio: 'ignore',
    argv0: 'victim',
    ...(user.dropped ? { uid: user.uid, gid: user.gid } : {}),
  })
  return {
    bait: {
      secretReversed: [...secret].reverse().join(''),
      ...{ home: join(folder, 'home'), tcp: port, udp: udp.address().port, abstract, socket, sharedMemory },
      ...{ victim: victim.pid ?? 0, hostname: hostname(), limits: LIMITS },
    },
    listenAt,
    victim,
    async [Symbol.asyncDispose]() {
      victim.kill('SIGKILL')
      udp.close()
      for (const server of servers) server.close()
    },
  }
}
