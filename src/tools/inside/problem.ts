/** Something the model can act on: its message is the whole observation. */
export class Problem extends Error {
  override readonly name = 'Problem'
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'does not exist: a part of the path is not a folder'],
  ['EEXIST', 'cannot be made: a part of the path is not a folder'],
  ['EISDIR', 'is a folder'],
  ['EACCES', 'cannot be used like this: its permissions do not allow it'],
  ['EPERM', 'may not be changed: the system does not permit it'],
  ['EROFS', 'is protected: it cannot be changed in this task'],
  ['EBUSY', 'is protected: it cannot be changed in this task'],
  ['ELOOP', 'leads round in circles: its links point at each other'],
  ['ENAMETOOLONG', 'has a name that is too long'],
  ['ENOSPC', 'could not be written: there is no space left'],
  ['EDQUOT', 'could not be written: there is no space left'],
  ['EFBIG', 'could not be written: it is larger than files may be here'],
  ['ENXIO', 'is not a regular file'],
  ['EINVAL', 'was changed while it was looked at: try again'],
])

/** Puts a failure of the file system into a sentence; what is no such failure stays what it is. */
export function explain(error: unknown, path: string): unknown {
  const reason = REASONS.get(errorCode(error) ?? '')
  return reason === undefined ? error : new Problem(`"${path}" ${reason}.`)
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
