import type { HostFacts } from './host.ts'
import { asAdmin, installFix } from './install-fix.ts'

/** What one kind of failure of bubblewrap means, and what mends it. The first row that fits counts. */
export interface FailureRow {
  /** In the first line that bubblewrap wrote. */
  readonly words: RegExp
  /** Where the words alone do not tell. */
  readonly when?: (host: HostFacts) => boolean
  /** A clause: `the sandbox could not be set up, because …`. */
  readonly cause: string
  readonly fix: (host: HostFacts) => string
}

const APPARMOR_PROFILE =
  'abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }'

const appArmorFix = (host: HostFacts): string =>
  `Allow them for bubblewrap: echo '${APPARMOR_PROFILE}' | ${asAdmin(host, 'tee /etc/apparmor.d/bwrap')} && ${asAdmin(host, 'systemctl reload apparmor')}`

const EXTERNAL = 'Or say that the container itself is the sandbox, if it is made for that: --sandbox external'

const OPEN_CONTAINER: Readonly<Record<string, string>> = {
  docker:
    'Start it with: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined …',
  podman: 'Start it with: podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …',
  kubernetes:
    'Set for the container: securityContext: { seccompProfile: { type: Unconfined }, appArmorProfile: { type: Unconfined }, procMount: Unmasked }, and for the pod: hostUsers: false',
  lxc: 'Allow nesting, on its host: lxc config set NAME security.nesting true',
  other: 'Start it without a system call filter that forbids namespaces, and with a whole /proc.',
}

const containerFix = ({ container }: HostFacts): string => `${OPEN_CONTAINER[container]}\n${EXTERNAL}`
const inContainer = ({ container }: HostFacts): boolean => container !== 'none'

const NAMESPACES =
  /No permissions to creat\w+ (?:a )?new namespace|uid map|gid map|RTM_NEWADDR|RTM_NEWLINK|Creating new namespace failed: (?:Operation not|Permission|Function)|clone|unshare/i

export const FAILURES: readonly FailureRow[] = [
  {
    words: /unknown option/i,
    cause: 'this bubblewrap is too old',
    fix: (host) => `Update it to 0.8 or newer. ${installFix('bubblewrap', host)}`,
  },
  {
    words: /execvp .*bash/,
    cause: 'there is no bash where it is looked for',
    fix: (host) => `The sandbox needs /bin/bash. ${installFix('bash', host)}`,
  },
  {
    words: /source path/,
    cause: 'something that is to be shown cannot be reached',
    fix: () => 'Look at whether it is there, and whether others may pass through the folders above it.',
  },
  {
    words: /Unexpected capabilities/,
    cause: 'Tao was started with capabilities that are handed on',
    fix: () => 'Start it without: setpriv --inh-caps=-all --ambient-caps=-all tao …',
  },
  {
    words: /mount(?:ing)? (?:new )?proc|max_user_namespaces|overflowuid/i,
    when: inContainer,
    cause: 'the container hides parts of /proc, and then the kernel allows no new one',
    fix: containerFix,
  },
  {
    words: /mount(?:ing)? (?:new )?proc/i,
    cause: 'parts of /proc are covered here, and then the kernel allows no new one',
    fix: () => 'Run Tao outside of the sandbox or namespace that it was started in.',
  },
  {
    words: /ENOSPC|nesting depth|No space left/,
    when: ({ userNamespaces }) => userNamespaces,
    cause: 'the number of namespaces is limited, or they are nested too deep',
    fix: (host) =>
      `Raise the limit: ${asAdmin(host, 'sysctl -w user.max_user_namespaces=10000 user.max_net_namespaces=10000 user.max_pid_namespaces=10000 user.max_mnt_namespaces=10000')}`,
  },
  {
    words: new RegExp(`${NAMESPACES.source}|ENOSPC|Failed to make`, 'i'),
    when: ({ appArmorRestricts, container }) => appArmorRestricts && container === 'none',
    cause: 'AppArmor forbids user namespaces',
    fix: appArmorFix,
  },
  {
    words: new RegExp(`${NAMESPACES.source}|ENOSPC`, 'i'),
    when: ({ userNamespaces, container }) => !userNamespaces && container === 'none',
    cause: 'a setting of the kernel switches user namespaces off',
    fix: (host) =>
      `Switch them on: ${asAdmin(host, 'sysctl -w user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1')} (a setting that your kernel does not have is reported and can be ignored)`,
  },
  {
    words: new RegExp(`${NAMESPACES.source}|ENOSPC|Failed to make|pivot_root`, 'i'),
    when: inContainer,
    cause: 'the container forbids namespaces',
    fix: containerFix,
  },
  {
    words: /does not support user namespaces|Creating new namespace failed: (?:Invalid|Function)/,
    cause: 'this kernel has no user namespaces',
    fix: ({ kernel }) =>
      `Use a kernel of version 4.18 or newer with CONFIG_USER_NS; this one is ${kernel || 'not known'}.`,
  },
  {
    words: /PR_SET_SECCOMP|seccomp/i,
    cause: 'this kernel takes no system call filter',
    fix: ({ kernel }) => `Use a kernel with CONFIG_SECCOMP_FILTER; this one is ${kernel || 'not known'}.`,
  },
  {
    words: new RegExp(`${NAMESPACES.source}|Failed to make|pivot_root|Operation not permitted|Permission denied`, 'i'),
    when: ({ filtered }) => filtered,
    cause: 'Tao runs under a system call filter that forbids what a sandbox needs',
    fix: () =>
      'Start Tao outside of the service or sandbox that set the filter (for a systemd service: RestrictNamespaces=no, SystemCallFilter=@mount).',
  },
  {
    words: NAMESPACES,
    cause: 'user namespaces are not allowed for this user',
    fix: () => 'Allow user namespaces for unprivileged users on this machine.',
  },
]
