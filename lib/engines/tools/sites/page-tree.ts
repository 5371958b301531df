import { redactText } from '@/lib/kernel/redaction/redact-text'
import type { JsonValue, LeftOut } from '@/lib/protocol/tool'
import { countOf, formatCount } from '@/lib/words/format'

const mostTitle = 120
const mostPath = 300

/** A part of a path. `title` null = no page is there that was found. */
type Branch = { path: string; title: string | null; below: Map<string, Branch> }
/** A branch as it is shown: `hidden` = how many pages below it are not. */
type Shown = { branch: Branch; depth: number; children: Shown[]; hidden: number }

/** The tree of pages below a start page, how many of them are shown, and why others are not. */
type PageTree = { tree: JsonValue[]; shown: number; leftOut: LeftOut[] }

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
  const unshown = { deep: 0, many: 0, long: 0 }
  let entries = 0
  let shown = 0
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const branch of next.branch.below.values()) {
      const isLong = branch.path.length > mostPath
      const why = next.depth === depth ? 'deep' : entries === most ? 'many' : isLong && 'long'
      if (why) {
        const pages = pagesIn(branch)
        next.hidden += pages
        unshown[why] += pages
        continue
      }
      entries++
      if (branch.title !== null) shown++
      const child = { branch, depth: next.depth + 1, children: [], hidden: 0 }
      next.children.push(child)
      queue.push(child)
    }
  }
  const all = countOf(pages.size, 'page')
  const reasons = {
    deep: `more than ${countOf(depth, 'level')} below the start page`,
    many: `a call shows at most ${most} entries`,
    long: `their paths have more than ${mostPath} characters`,
  }
  const leftOut = (['deep', 'many', 'long'] as const).flatMap((why) =>
    unshown[why] > 0
      ? [
          {
            what: `${formatCount(unshown[why])} of ${all}`,
            why: `${reasons[why]}; "more" counts them`,
          },
        ]
      : [],
  )
  return { tree: top ? [entryOf(top)] : [], shown: shown + Number(root.title !== null), leftOut }
}

function rootOf(start: URL, pages: ReadonlyMap<string, string>): Branch {
  const above = partsOf(start.pathname).length
  const root: Branch = { path: start.pathname, title: null, below: new Map() }
  for (const [path, title] of pages) {
    let at = root
    for (const { part, prefix } of partsBelow(path, above)) {
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

/** Returns the parts of a path behind the first ones. Its query belongs to the last of them, or is one of its own. */
function partsBelow(path: string, above: number): { part: string; prefix: string }[] {
  const [plain = ''] = path.split('?', 1)
  const query = path.slice(plain.length)
  const parts = partsOf(plain).slice(above)
  if (query === '') return parts
  const last = parts.pop()?.part ?? ''
  return [...parts, { part: last + query, prefix: path }]
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
