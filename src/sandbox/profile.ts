import { NETWORK_ENVIRONMENT } from './network.ts'
import type { SandboxLimits } from './sandbox.ts'

/** Everything that decides what a command sees. Nothing is read here: the same input gives the same arguments. */
export interface ProfileInput {
  readonly uid: number
  readonly gid: number
  readonly limits: Pick<SandboxLimits, 'tempSpace'>
  /** How /bin, /lib … look on the host: links are made again, folders bound. */
  readonly systemFolders: readonly SystemFolder[]
  readonly view?: MountedView
  /** Host files and where they are seen. */
  readonly readOnly: readonly { readonly source: string; readonly path: string }[]
  readonly descriptors: DataDescriptors
  /** True when there is a way to the hosts of a list. */
  readonly network?: boolean
}

export interface SystemFolder {
  readonly path: string
  /** Target of the link that stands there; undefined for a folder. */
  readonly link?: string
}

export interface MountedView {
  readonly copy: string
  readonly wholeReadOnly: boolean
  /** Folders above protected paths, outer ones first: as mount points they can be neither renamed nor removed. */
  readonly pins: readonly string[]
  readonly protect: readonly string[]
}

/** Which descriptors bubblewrap finds its data on. */
export interface DataDescriptors {
  readonly seccomp: number
  readonly status: number
  readonly passwd: number
  readonly group: number
  readonly hosts: number
}

export const WORKSPACE = '/workspace'
export const NODE_INSIDE = '/opt/node/bin/node'

/** All that a command finds in its environment. Programs that would ask somebody or open a pager are told not to. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/node/bin',
  HOME: '/home/agent',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  TERM: 'dumb',
  USER: 'agent',
  CI: '1',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  PYTHONDONTWRITEBYTECODE: '1',
}

/** Harmless parts of /etc that programs need; those that the host does not have are left out. */
const ETC = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/nsswitch.conf',
]

/** Bubblewrap carries its options out in order: later mounts lie over earlier ones. */
export function profileArguments(input: ProfileInput): string[] {
  return [
    ...isolation(input),
    ...environment(input),
    ...system(input),
    ...space(input),
    ...visible(input),
    ...last(input),
  ]
}

const isolation = ({ uid, gid }: ProfileInput): string[] => [
  ...['--unshare-user', '--disable-userns', '--assert-userns-disabled', '--uid', `${uid}`, '--gid', `${gid}`],
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'sandbox'],
  ...['--unshare-net', '--cap-drop', 'ALL', '--new-session', '--die-with-parent', '--clearenv'],
]

const environment = ({ network }: ProfileInput): string[] =>
  Object.entries({ ...ENVIRONMENT, ...(network ? NETWORK_ENVIRONMENT : {}) }).flatMap(([name, value]) => [
    ...['--setenv', name, value],
  ])

const system = ({ systemFolders, descriptors }: ProfileInput): string[] => [
  ...['--ro-bind', '/usr', '/usr'],
  ...systemFolders.flatMap(({ path, link }) =>
    link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path],
  ),
  ...['/etc', '/etc/ssl', '/home', '/opt', '/opt/node', '/opt/node/bin'].flatMap((path) => [
    '--perms',
    '0755',
    '--dir',
    path,
  ]),
  ...ETC.flatMap((path) => ['--ro-bind-try', path, path]),
  ...(
    [
      [descriptors.hosts, '/etc/hosts'],
      [descriptors.passwd, '/etc/passwd'],
      [descriptors.group, '/etc/group'],
    ] as const
  ).flatMap(([descriptor, path]) => ['--perms', '0444', '--ro-bind-data', `${descriptor}`, path]),
  // For the kernel's root user /proc/sys is writable whatever the mount says, unless it is bound read-only.
  ...['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'],
]

/** The root and /dev are memory of the host: whatever can be written has a size, the rest is made read-only. */
const space = ({ limits: { tempSpace } }: ProfileInput): string[] => [
  ...['--dev', '/dev', '--size', `${tempSpace}`, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
  ...['--perms', '1777', '--size', `${tempSpace}`, '--tmpfs', '/tmp'],
  ...['--perms', '0700', '--size', `${tempSpace}`, '--tmpfs', '/home/agent'],
]

const visible = ({ view, readOnly, limits }: ProfileInput): string[] => [
  ...(view === undefined
    ? ['--perms', '0755', '--size', `${limits.tempSpace}`, '--tmpfs', WORKSPACE]
    : [
        ...[view.wholeReadOnly ? '--ro-bind' : '--bind', view.copy, WORKSPACE],
        ...view.pins.flatMap((path) => ['--bind', `${view.copy}/${path}`, `${WORKSPACE}/${path}`]),
        ...view.protect.flatMap((path) => ['--ro-bind', `${view.copy}/${path}`, `${WORKSPACE}/${path}`]),
      ]),
  ...readOnly.flatMap(({ source, path }) => ['--ro-bind', source, path]),
]

const last = ({ descriptors }: ProfileInput): string[] => [
  ...['--remount-ro', '/', '--chdir', WORKSPACE],
  ...['--json-status-fd', `${descriptors.status}`, '--seccomp', `${descriptors.seccomp}`],
]
