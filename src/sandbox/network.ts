import type { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'
import type { AllowedHost } from './allow-list.ts'
import { type NetworkProxy, openProxy, type ProxyOptions } from './proxy.ts'

/*
 * How a sandbox without a network reaches the hosts of a list: what runs first inside opens a listener on its own loopback
 * and hands it over to Tao, through a channel that is closed before the command starts. Tao serves it. So there is no socket
 * file, no process beside the command, and no Unix socket in the system call filter; each sandbox has a listener of its own,
 * and what one command was refused is known to be that command's.
 */

const PORT = 3128
const ADDRESS = `http://127.0.0.1:${PORT}`
const DIRECT = 'localhost,127.0.0.1,::1'

/** What programs read to find the proxy; set in this mode only. */
export const NETWORK_ENVIRONMENT: Readonly<Record<string, string>> = {
  HTTP_PROXY: ADDRESS,
  HTTPS_PROXY: ADDRESS,
  NO_PROXY: DIRECT,
  http_proxy: ADDRESS,
  https_proxy: ADDRESS,
  no_proxy: DIRECT,
  NPM_CONFIG_PROXY: ADDRESS,
  NPM_CONFIG_HTTPS_PROXY: ADDRESS,
  NPM_CONFIG_NOPROXY: DIRECT,
  /** Node's own fetch and http read the variables above only then. */
  NODE_USE_ENV_PROXY: '1',
}

/** Ends when Tao has taken the listener. */
const PROGRAM = [
  `const server = require("node:net").createServer()`,
  `server.on("error", () => process.exit(1))`,
  `process.on("message", () => process.exit(0))`,
  `process.on("disconnect", () => process.exit(1))`,
  `server.listen(${PORT}, "127.0.0.1", () => process.send("listener", server))`,
].join(';')

/** The descriptor of Node's channel to Tao: the one that follows all others that a sandbox is started with. */
const CHANNEL = 14

/**
 * For the shell that runs first inside, before it closes what it was given and says that it is ready. Does nothing in a
 * sandbox without network.
 */
export const HAND_OVER = `[ -z "$http_proxy" ] || env -i NODE_CHANNEL_FD=${CHANNEL} /opt/node/bin/node -e '${PROGRAM}' 7>&- || exit 125`

/** What a sandbox may reach, and how that is looked up. */
export interface NetworkPlan {
  readonly allowed: readonly AllowedHost[]
  readonly options?: ProxyOptions
}

/** Serves the listener that comes out of a sandbox. The child must have a channel (`ipc`) as its last descriptor. */
export function serveSandbox(child: ChildProcess, { allowed, options }: NetworkPlan): NetworkProxy {
  const proxy = openProxy(allowed, options)
  child.once('message', (_word, listener) => {
    if (listener instanceof Server) proxy.serve(listener.unref())
    // Not disconnected from this side: then Node would never say that the child has closed. Inside nobody holds the channel
    // any more; it ends with bubblewrap.
    child.send('taken', () => {})
  })
  child.once('exit', proxy.close)
  // Whoever waits, waits for the sandbox: a spare one keeps nothing alive.
  child.channel?.unref()
  return proxy
}
