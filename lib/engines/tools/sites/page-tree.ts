import { redactText } from '@/lib/kernel/redaction/redact-text'
import type { JsonValue } from '@/lib/protocol/tool'

const mostTitle = 120
const mostPath = 300

/** A part of a path. `title` null = no page is there that was found. */
type Branch = { path: string; title: string | null; below: Map<string, Branch> }
/** A branch as it is shown: `hidden` = how many pages below it are not. */
type Shown = { branch: Branch; depth: number; children: Shown[]; hidden: number }

/** The tree of pages below a start page, and how many of them are shown and not. */
export type PageTree = { tree: JsonValue[]; shown: number; hidden: number }

/**
 * Returns pages as a tree of their paths below a start page, so many levels of it and at most so many entries, those of the first levels
 * first.
 */
export function pageTree(
  start: URL,
  pages: ReadonlyMap<string, string>,
  { depth, most }: { depth: number; most: number },
): PageTree {
  const root = rootOf(start, pages)
  const queue: Shown[] = [{ branch: root, depth: 0, children: [], hidden: 0 }]
  const top = queue[0]
  let entries = 0
  let shown = 0
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const branch of next.branch.below.values()) {
      if (next.depth === depth || entries === most || branch.path.length > mostPath) {
        next.hidden += pagesIn(branch)
        continue
      }
      entries++
      if (branch.title !== null) shown++
      const child = { branch, depth: next.depth + 1, children: [], hidden: 0 }
      next.children.push(child)
      queue.push(child)
    }
  }
  const isStartFound = root.title !== null
  const all = pagesIn(root)
  const found = shown + Number(isStartFound)
  return { tree: top ? [entryOf(top)] : [], shown: found, hidden: all - found }
}

function rootOf(start: URL, pages: ReadonlyMap<string, string>): Branch {
  const above = partsOf(start.pathname).length
  const root: Branch = { path: start.pathname, title: null, below: new Map() }
  for (const [path, title] of pages) {
    let at = root
    for (const { part, prefix } of partsOf(path).slice(above)) {
      const known = at.below.get(part)
      if (known) {
        at = known
        continue
      }
      const next = { path: prefix, title: null, below: new Map() }
      at.below.set(part, next)
      at = next
    }
    if (at.title === null || at.title === '') at.title = title
    // A page is named as it is asked for, with or without a slash at its end.
    at.path = path
  }
  return root
}

/** Returns the parts of a path, each with all of the path up to its end as it is written: what is between slashes may be an address. */
function partsOf(path: string): { part: string; prefix: string }[] {
  return Array.from(path.matchAll(/[^/]+/g), ({ 0: part, index }) => ({
    part,
    prefix: path.slice(0, index + part.length),
  }))
}

function pagesIn(root: Branch): number {
  let count = 0
  const open = [root]
  for (let branch = open.pop(); branch; branch = open.pop()) {
    if (branch.title !== null) count++
    for (const below of branch.below.values()) open.push(below)
  }
  return count
}

function entryOf({ branch, children, hidden }: Shown): JsonValue {
  const title = redactText(branch.title ?? '', { hashes: true })
    .replace(/\s+/g, ' ')
    .slice(0, mostTitle)
    .toWellFormed()
  return {
    path: redactText(branch.path, { hashes: true }),
    ...(title !== '' && { title }),
    ...(children.length > 0 && { below: children.map(entryOf) }),
    ...(hidden > 0 && { more: hidden }),
  }
}
