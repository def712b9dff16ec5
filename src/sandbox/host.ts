import { existsSync, readFileSync } from 'node:fs'

/** What of a machine decides whether a sandbox can be made there, and how that is mended. */
export interface HostFacts {
  readonly platform: string
  readonly root: boolean
  /** ID and ID_LIKE of /etc/os-release. */
  readonly distributions: readonly string[]
  readonly wsl1: boolean
  readonly container: boolean
  readonly appArmorRestricts: boolean
  /** False where a setting of the kernel switches user namespaces off. */
  readonly userNamespaces: boolean
}

export function readHost(): HostFacts {
  const version = read('/proc/version')
  return {
    platform: process.platform,
    root: process.geteuid?.() === 0,
    distributions: readDistributions(read('/etc/os-release')),
    wsl1: /microsoft/i.test(version) && !/wsl2|microsoft-standard/i.test(version),
    container:
      existsSync('/.dockerenv') || existsSync('/run/.containerenv') || /kubepods|docker/.test(read('/proc/1/cgroup')),
    appArmorRestricts: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1',
    userNamespaces:
      read('/proc/sys/kernel/unprivileged_userns_clone').trim() !== '0' &&
      read('/proc/sys/user/max_user_namespaces').trim() !== '0',
  }
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
