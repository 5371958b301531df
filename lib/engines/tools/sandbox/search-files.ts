import { setImmediate as nextTurn } from 'node:timers/promises'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { REDACTED } from '@/lib/kernel/redaction/redact-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { type Folder, readBytes, withChild, withFile, withFolder } from './contained'
import { entryOf, hiddenNames, visibleNames } from './list-folder'
import { blocksOf } from './shown-blocks'
import { decodeFile } from './text-file'
import { partsOf } from './workspace-path'

export const mostMatches = 200
export const mostFiles = 5_000
const mostReadBytes = 20 * 1024 * 1024
const mostFileBytes = 5 * 1024 * 1024
const mostFolders = 5_000
const mostDepth = 30
const longestWorkMs = 5_000
/** No line is compared beyond this, so that one line cannot keep the server. */
const longestLine = 2_000
const mostPatternSteps = 500
const shownCharacters = 300
/** After so long, other work of the server comes first. */
const turnMs = 10

type Query = {
  pattern: string
  isExpression: boolean
  path: string
  /** Which files: "*.md" by their names, with a slash by their paths below `path`; null = all. */
  glob: string | null
}

type Match = { path: string; line: number; text: string }
type Found = {
  matches: Match[]
  files: number
  skipped: Record<keyof typeof skippedWords, number>
  /** Why it did not look further; null = it saw everything. */
  stopped: string | null
}

/** A search as a model gets it. */
type Searched = { content: Pick<Found, 'matches' | 'files'>; leftOut: LeftOut[] }

type Search = {
  found: Found
  finds: (line: string) => boolean
  /** Returns true when any part of the line may match. */
  mayFind: (line: string) => boolean
  isWanted: (path: string, name: string) => boolean
  bytes: number
  folders: number
  until: number
  turnEnds: number
  signal: AbortSignal
}

/** Things that a search skips, and why. */
const skippedWords = {
  binary: [['file', 'files'], 'no text'],
  large: [['file', 'files'], 'larger than 5 MiB, or than what is left of 20 MiB'],
  unreadable: [['file or folder', 'files and folders'], 'cannot be read'],
  undecoded: [['file in part', 'files in part'], 'some bytes are not valid in its encoding'],
  links: [['link', 'links'], 'links are not followed'],
  hidden: [['name', 'names'], hiddenNames],
  longLines: [['end of a line', 'ends of lines'], 'only the first 2,000 characters are searched'],
  longMatches: [['match', 'matches'], 'only the first 300 characters of the line are shown'],
} as const

/** Looks for lines with a pattern in the text files of a workspace, file by file, and lets other work come between. */
export async function searchFiles(
  root: string,
  query: Query,
  signal: AbortSignal,
): Promise<Searched> {
  const skipped: Found['skipped'] = {
    binary: 0,
    large: 0,
    unreadable: 0,
    undecoded: 0,
    links: 0,
    hidden: 0,
    longLines: 0,
    longMatches: 0,
  }
  const found: Found = { matches: [], files: 0, skipped, stopped: null }
  const now = performance.now()
  const search: Search = {
    found,
    ...testsOf(query),
    isWanted: query.glob === null ? () => true : globTest(query.glob),
    bytes: 0,
    folders: 0,
    until: now + longestWorkMs,
    turnEnds: now + turnMs,
    signal,
  }
  const parts = partsOf(query.path)
  await withFolder(root, parts, (folder) => searchFolder(search, folder, parts))
  const { matches, files, stopped } = found
  return { content: { matches, files }, leftOut: [...stopOf(stopped), ...skippedParts(skipped)] }
}

function stopOf(stopped: string | null): LeftOut[] {
  return stopped === null
    ? []
    : [{ what: 'whatever comes after it in the workspace', why: stopped }]
}

function skippedParts(skipped: Found['skipped']): LeftOut[] {
  return Object.entries(skippedWords).flatMap(([kind, [[one, many], why]]) => {
    const count = skipped[kind as keyof typeof skippedWords]
    return count > 0 ? [{ what: countOf(count, one, many), why }] : []
  })
}

async function searchFolder(
  search: Search,
  folder: Folder,
  parts: readonly string[],
): Promise<void> {
  const { found } = search
  search.folders += 1
  if (search.folders > mostFolders || parts.length > mostDepth) {
    found.stopped ??= 'there are more folders than are searched'
    return
  }
  const { names, hidden, areAll } = await visibleNames(folder, search.signal)
  found.skipped.hidden += hidden
  if (!areAll) found.stopped ??= 'a folder has more entries than are searched'
  for (const name of names) {
    if (isOver(search)) return
    await searchEntry(search, folder, [...parts, name])
    await takeTurns(search)
  }
}

async function searchEntry(
  search: Search,
  folder: Folder,
  parts: readonly string[],
): Promise<void> {
  const name = parts.at(-1) ?? ''
  try {
    const entry = await entryOf(folder, name)
    if (entry?.kind === 'folder') {
      await withChild(folder, name, (child) => searchFolder(search, child, parts))
    } else if (entry?.kind === 'file' && search.isWanted(parts.join('/'), name)) {
      await searchFile(search, folder, parts)
    } else if (entry?.kind === 'link') search.found.skipped.links += 1
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    search.found.skipped.unreadable += 1
  }
}

async function searchFile(search: Search, folder: Folder, parts: readonly string[]): Promise<void> {
  const { found } = search
  found.files += 1
  const most = Math.min(mostFileBytes, mostReadBytes - search.bytes)
  const bytes = await withFile(folder, parts.at(-1) ?? '', (file) => readBytes(file, most))
  if (bytes === null) {
    found.skipped.large += 1
    if (most < mostFileBytes) found.stopped = 'it has read 20 MiB'
    return
  }
  search.bytes += bytes.length
  const file = decodeFile(bytes)
  if (file !== null && file.undecoded > 0) found.skipped.undecoded += 1
  if (file === null) found.skipped.binary += 1
  else await searchText(search, file.text, parts.join('/'))
}

async function searchText(search: Search, text: string, path: string): Promise<void> {
  for (const { first, lines, shown } of blocksOf(text.split(/\r?\n/))) {
    await takeTurns(search)
    if (isOver(search)) return
    // Counted whatever the pattern is: a number that depends on what hidden parts of lines hold would tell it.
    search.found.skipped.longLines += lines.filter(({ length }) => length > longestLine).length
    if (await findsAny(search, lines))
      await searchShown(search, { path, first, lines, shown: shown() })
  }
}

async function findsAny(search: Search, lines: readonly string[]): Promise<boolean> {
  for (const line of lines) {
    if (isTurnOver(search)) await takeTurns(search)
    if (isOver(search)) return false
    if (search.mayFind(line.slice(0, longestLine))) return true
  }
  return false
}

type Shown = { path: string; first: number; lines: readonly string[]; shown: readonly string[] }

async function searchShown(search: Search, { path, first, lines, shown }: Shown): Promise<void> {
  for (const [index, whole] of shown.entries()) {
    if (isTurnOver(search)) await takeTurns(search)
    if (isOver(search)) return
    const line = whole.slice(0, longestLine)
    if (!findsShown(search, line, lines[index]?.slice(0, longestLine))) continue
    const text = line.slice(0, shownCharacters).toWellFormed()
    if (line.length > shownCharacters) search.found.skipped.longMatches += 1
    search.found.matches.push({ path, line: first + index, text })
  }
}

/** Returns whether something is found in what is shown of a line: what is hidden is never found. */
function findsShown({ finds }: Search, shown: string, line: string | undefined): boolean {
  return shown === line ? finds(shown) : shown.split(REDACTED).some(finds)
}

function isTurnOver({ turnEnds }: Search): boolean {
  return performance.now() > turnEnds
}

/** Lets other work of the server come first, when this has worked for long enough. */
async function takeTurns(search: Search): Promise<void> {
  if (!isTurnOver(search)) return
  await nextTurn()
  search.turnEnds = performance.now() + turnMs
}

/** Returns whether the search must end, and notes why. */
function isOver({ found, until, signal }: Search): boolean {
  signal.throwIfAborted()
  if (found.stopped === null) {
    if (found.matches.length >= mostMatches) found.stopped = `it found ${mostMatches} matches`
    else if (found.files >= mostFiles) found.stopped = `it has read ${mostFiles} files`
    else if (performance.now() > until) found.stopped = 'it has worked for 5 seconds'
  }
  return found.stopped !== null
}

function testsOf({ pattern, isExpression }: Query): Pick<Search, 'finds' | 'mayFind'> {
  if (!isExpression) {
    const finds = (line: string) => line.includes(pattern)
    return { finds, mayFind: finds }
  }
  const finds = expression(pattern)
  // Classes in classes are read by the engine alone.
  const mayFind = pattern.includes('[[:') ? () => true : expression(withoutAnchors(pattern))
  return { finds, mayFind }
}

/**
 * Returns a pattern that finds something in each line of which a part has what `pattern` finds. Whether it finds something in a
 * whole line may therefore be asked before secrets are hidden: it tells nothing about them.
 */
function withoutAnchors(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|[\^$]/g, (part) =>
    /^(?:[\^$]|\\[bBAzZ])$/.test(part) ? '(?:)' : part,
  )
}

function expression(pattern: string): (line: string) => boolean {
  try {
    const { matches, steps } = linearPattern(pattern)
    if (steps <= mostPatternSteps) return matches
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('invalid-pattern', `The pattern cannot be used: ${why.slice(0, 200)}.`)
  }
  throw new ToolError('too-much', 'This pattern is too long. Search for a shorter one.')
}

/** Returns whether a file is one of those that a glob names: `*` and `?` within a name, `**` over folders. */
export function globTest(glob: string): (path: string, name: string) => boolean {
  const source = glob
    .normalize('NFC')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => wild[part] ?? part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('')
  const { matches } = linearPattern(`^${source}$`)
  return glob.includes('/')
    ? (path) => matches(path.normalize('NFC'))
    : (_, name) => matches(name.normalize('NFC'))
}

const wild: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]*/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}
