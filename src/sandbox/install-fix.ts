import type { HostFacts } from './host.ts'

/** A line for a shell, as whoever may change this machine. */
export const asAdmin = (host: HostFacts, line: string): string => `${host.root ? '' : 'sudo '}${line}`

const INSTALLERS: Readonly<Record<string, string>> = {
  debian: 'apt-get install -y',
  ubuntu: 'apt-get install -y',
  fedora: 'dnf install -y',
  rhel: 'dnf install -y',
  centos: 'dnf install -y',
  arch: 'pacman -S --noconfirm',
  suse: 'zypper install -y',
  opensuse: 'zypper install -y',
  alpine: 'apk add',
}

/** The line that installs a package on this machine. */
export function installFix(name: string, host: HostFacts): string {
  const known = host.distributions.find((id) => Object.hasOwn(INSTALLERS, id))
  if (known === undefined) return `Install the package "${name}" with the package manager of this machine.`
  return `Install it with: ${asAdmin(host, `${INSTALLERS[known]} ${name}`)}`
}
