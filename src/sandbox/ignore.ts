/**
 * Names that are copied, since programs may want them, but never delivered: version control's own data and what tools
 * keep only to be faster. `a/b` means a `b` directly in an `a`, anywhere in the tree.
 */
export const DEFAULT_IGNORE: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.ipynb_checkpoints',
  'node_modules/.cache',
  'node_modules/.vite',
  'node_modules/.vitest',
  '.DS_Store',
]

/** Gives a test for paths: true for those that have one of the names, or lie below one. */
export function ignoring(names: readonly string[]): (path: string) => boolean {
  const parts = names.map((name) => `/${name.replaceAll(/^\/+|\/+$/g, '')}/`).filter((part) => part !== '//')
  return (path) => {
    const framed = `/${path}/`
    return parts.some((part) => framed.includes(part))
  }
}
