import { isSameSeen, type Preview, type Seen, type WriteCheck } from '@/lib/protocol/look'
import { diffLines } from '@/lib/words/diff-lines'
import { formatBytes } from '@/lib/words/format'

/** Receives lines. They are shown with invisible characters made visible. */
type Page = { line: (text: string, style?: 'dim' | 'red' | 'green' | 'yellow') => void }

const mostLines = 40

/** Prints what is there before a call and what it would write, line by line. */
export function printPreview(page: Page, preview: Preview | undefined): void {
  if (!preview) return
  const { before, becomes, isAct } = preview
  if (isAct) {
    printAct(page, before)
    return
  }
  page.line(`  There now: ${seenWords(before)}`, 'dim')
  if (becomes === null) {
    page.line('  What will be there is not known.', 'dim')
    return
  }
  page.line(`  It would write ${formatBytes(becomes.bytes)}:`, 'dim')
  printChange(page, before, { type: 'text', ...becomes })
}

function printAct(page: Page, act: Seen): void {
  page.line('  It would do exactly this:', 'dim')
  const lines = (act.type === 'text' ? act.text : seenWords(act)).split('\n')
  for (const line of lines.slice(0, mostLines)) page.line(`  ${line}`)
  if (lines.length > mostLines) page.line(`… ${lines.length - mostLines} more lines`, 'dim')
}

/** Prints what was there before a call, what it was to write, and what was read back. */
export function printCheck(page: Page, check: WriteCheck | undefined): void {
  if (!check) return
  const { before, approved, after } = check
  const wanted: Seen | null = approved && { type: 'text', ...approved }
  page.line(`  Before: ${seenWords(before)}`, 'dim')
  page.line(`  Approved: ${wanted ? seenWords(wanted) : 'not known before the call'}`, 'dim')
  page.line(`  Now: ${seenWords(after)}`, 'dim')
  const isOther = wanted && after.type !== 'unread' && !isSameSeen(wanted, after)
  printChange(page, isOther ? wanted : before, after)
}

function seenWords(seen: Seen): string {
  switch (seen.type) {
    case 'nothing':
      return 'nothing'
    case 'unread':
      return `not read. ${seen.problem}`
    case 'text':
      return `${formatBytes(seen.bytes)}, SHA-256 ${seen.sha256}`
    default:
      return seen satisfies never
  }
}

function printChange(page: Page, from: Seen, to: Seen): void {
  if (to.type === 'unread') return
  const parts = diffLines(textOf(from), textOf(to)).filter(({ type }) => type !== 'same')
  const lines = parts.flatMap(({ type, value }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ mark: type === 'added' ? '+' : '-', text })),
  )
  for (const { mark, text } of lines.slice(0, mostLines)) {
    page.line(`  ${mark} ${text.slice(0, 500)}`, mark === '+' ? 'green' : 'red')
  }
  if (lines.length > mostLines) page.line(`  … ${lines.length - mostLines} more lines`, 'dim')
}

function textOf(seen: Seen): string {
  return seen.type === 'text' ? seen.text : ''
}
