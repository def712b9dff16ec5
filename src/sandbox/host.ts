import { existsSync, readFileSync } from 'node:fs'

/** What of a machine decides whether a sandbox can be made there, and how that is mended. */
export interface HostFacts {
  readonly platform: string
  readonly root: boolean
  /** ID and ID_LIKE of /etc/os-release. */
  readonly distributions: readonly string[]
  readonly wsl1: boolean
  readonly container: Container
  readonly appArmorRestricts: boolean
  /** False where a setting of the kernel switches user namespaces off. */
  readonly userNamespaces: boolean
  /** True under a system call filter. */
  readonly filtered: boolean
  /** Its release, such as 6.1.0-18-amd64; empty when it is not known. */
  readonly kernel: string
}

/** What Tao runs in. `other`: a container of a kind that is not known. */
export type Container = 'none' | 'docker' | 'podman' | 'kubernetes' | 'lxc' | 'other'

export function readHost(): HostFacts {
  const version = read('/proc/version')
  return {
    platform: process.platform,
    root: process.geteuid?.() === 0,
    distributions: readDistributions(read('/etc/os-release')),
    wsl1: /microsoft/i.test(version) && !/wsl2|microsoft-standard/i.test(version),
    container: readContainer(),
    appArmorRestricts: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1',
    userNamespaces:
      read('/proc/sys/kernel/unprivileged_userns_clone').trim() !== '0' &&
      read('/proc/sys/user/max_user_namespaces').trim() !== '0',
    filtered: /^Seccomp:\s*2$/m.test(read('/proc/self/status')),
    kernel: read('/proc/sys/kernel/osrelease').trim(),
  }
}

function readContainer(): Container {
  const groups = read('/proc/1/cgroup')
  const said = read('/run/systemd/container').trim()
  if (existsSync('/var/run/secrets/kubernetes.io') || /kubepods/.test(groups)) return 'kubernetes'
  if (existsSync('/run/.containerenv') || said === 'podman') return 'podman'
  if (existsSync('/.dockerenv') || said === 'docker' || /docker/.test(groups)) return 'docker'
  if (said.startsWith('lxc') || /\/lxc/.test(groups)) return 'lxc'
  return said === '' ? 'none' : 'other'
}

export function readDistributions(osRelease: string): string[] {
  return [...osRelease.matchAll(/^ID(?:_LIKE)?=["']?([^"'\n]*)/gm)].flatMap(([, ids]) => ids?.split(' ') ?? [])
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
