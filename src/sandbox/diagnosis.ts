import type { HostFacts } from './host.ts'

/** One sentence about what is wrong, one about what mends it on this machine. */
export interface Diagnosis {
  readonly problem: string
  readonly fix: string
}

/** Where no sandbox can be made at all; undefined where one can be tried. */
export function diagnosePlatform(host: HostFacts): Diagnosis | undefined {
  if (host.platform === 'darwin')
    return {
      problem: 'Commands run in a Linux sandbox, which macOS does not have.',
      fix: 'Run Tao inside a Linux virtual machine, for example with Lima: limactl start && limactl shell default',
    }
  if (host.platform === 'win32')
    return {
      problem: 'Commands run in a Linux sandbox, which Windows does not have.',
      fix: 'Run Tao inside WSL 2. It is installed with: wsl --install',
    }
  if (host.platform !== 'linux')
    return {
      problem: `Commands run in a Linux sandbox, which ${host.platform} does not have.`,
      fix: 'Run Tao on Linux.',
    }
  if (host.wsl1)
    return {
      problem: 'This is WSL 1, which has no namespaces.',
      fix: 'Turn the distribution into WSL 2, in PowerShell: wsl --set-version <distribution> 2',
    }
  return undefined
}

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
  return `Install it with: ${host.root ? '' : 'sudo '}${INSTALLERS[known]} ${name}`
}

const APPARMOR_PROFILE =
  'abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }'

/** What bubblewrap's own words mean. `words` is the first line that it wrote. */
export function diagnoseFailure(words: string, host: HostFacts): Diagnosis {
  const problem = `The sandbox could not be set up: ${words || 'bubblewrap gave no reason'}`
  return { problem, fix: fixFor(words, host) }
}

function fixFor(words: string, host: HostFacts): string {
  const admin = host.root ? '' : 'sudo '
  if (/unknown option/i.test(words)) return `Update bubblewrap: it is too old. ${installFix('bubblewrap', host)}`
  if (/execvp .*bash/.test(words)) return `The sandbox needs bash. ${installFix('bash', host)}`
  const namespaces = /namespace|uid map|gid map|RTM_NEWADDR|clone|unshare|Operation not permitted|Permission denied/i
  if (/source path/.test(words))
    return 'Look at whether it is there, and whether others may pass through the folders above it.'
  if (/mount.* proc/.test(words) && host.container)
    return 'The container hides parts of /proc. Start it with: docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …'
  if (!namespaces.test(words)) return 'Run "tao doctor" for what Tao found out about this machine.'
  if (host.appArmorRestricts)
    return `AppArmor forbids user namespaces. Allow them for bubblewrap: echo '${APPARMOR_PROFILE}' | ${admin}tee /etc/apparmor.d/bwrap && ${admin}systemctl reload apparmor`
  if (host.container)
    return 'The container forbids user namespaces. Start it with: docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …'
  if (!host.userNamespaces)
    return `User namespaces are switched off. Switch them on with: ${admin}sysctl -w user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1`
  return 'Allow user namespaces for unprivileged users on this machine.'
}
