'use client'
import { memo, useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { formatBytes, utf8Bytes } from '@/lib/words/format'
import { ScrollRegion } from './scroll-region'
import { VisibleText } from './visible-text'

const linePx = 18

/**
 * `label` names the frame that a long text gets; `mono` false is for prose such as a prompt. `size` is that of what the text
 * shows, where the text itself is longer by its layout.
 */
type Props = { text: string; label: string; mono?: boolean; size?: string }

/** Shows a text of any length: the first twelve lines, and on demand all of it in a frame that scrolls. */
export const LongText = memo(function LongText({ text, label, mono = true, size }: Props) {
  const [open, setOpen] = useState(false)
  const { head, folded } = useMemo(() => foldText(text), [text])
  if (!folded) return <Lines text={text} mono={mono} />
  return (
    <div className="flex flex-col items-start gap-1">
      {open ? (
        <AllLines text={text} label={label} mono={mono} />
      ) : (
        <Lines text={head} mono={mono} isFolded />
      )}
      <Button variant="ghost" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : `Show all (${size ?? formatBytes(utf8Bytes(text))})`}
      </Button>
    </div>
  )
})

type LinesProps = { text: string; mono: boolean; isFolded?: boolean }

/** Shows lines; of a folded text only as many as its head has, also where they are so narrow that they break. */
function Lines({ text, mono, isFolded = false }: LinesProps) {
  return (
    <pre className={cn(textStyles(mono), isFolded && 'line-clamp-12')}>
      <VisibleText text={text} />
    </pre>
  )
}

function AllLines({ text, label, mono }: Required<Omit<Props, 'size'>>) {
  const chunks = useMemo(() => textChunks(text), [text])
  return (
    <ScrollRegion
      label={label}
      className="max-h-[70vh] w-full overflow-y-auto overscroll-contain rounded-sm border bg-surface-0 p-2"
    >
      {chunks.map((chunk, index) => (
        <pre
          // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change while it is shown
          key={index}
          className={cn(textStyles(mono), '[content-visibility:auto]')}
          style={{ containIntrinsicSize: `auto ${chunk.lines * linePx}px` }}
        >
          <VisibleText text={chunk.text} />
        </pre>
      ))}
    </ScrollRegion>
  )
}

function textStyles(mono: boolean): string {
  return cn(
    'w-full whitespace-pre-wrap text-normal [overflow-wrap:anywhere]',
    mono ? 'font-mono text-mono' : 'font-sans',
  )
}

const foldedLines = 12
const foldedCharacters = 2_400
const chunkLines = 200
const chunkCharacters = 20_000

/** Returns the first lines of a text, and whether more follows. A very long line is cut too. */
export function foldText(text: string): { head: string; folded: boolean } {
  let at = -1
  for (let line = 0; line < foldedLines; line += 1) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) break
  }
  const end = Math.min(at === -1 ? text.length : at, foldedCharacters)
  if (text.slice(end).trim() === '') return { head: text, folded: false }
  return { head: text.slice(0, wholeCharacter(text, end)), folded: true }
}

/** Cuts a long text into pieces a browser can leave unpainted while they are out of sight. */
export function textChunks(text: string): { text: string; lines: number }[] {
  const chunks: { text: string; lines: number }[] = []
  let from = 0
  while (from < text.length) {
    const { to, lines } = chunkEnd(text, from)
    const newline = text[to - 1] === '\n' ? 1 : 0
    chunks.push({ text: text.slice(from, to - newline), lines })
    from = to
  }
  return chunks
}

/**
 * Returns the end of a piece: after a number of lines, before the line that makes it too long, or within a longer line.
 */
function chunkEnd(text: string, from: number): { to: number; lines: number } {
  let to = from
  let lines = 0
  while (lines < chunkLines && to < text.length) {
    const newline = text.indexOf('\n', to)
    const next = newline === -1 ? text.length : newline + 1
    if (next - from > chunkCharacters) break
    to = next
    lines += 1
  }
  if (lines > 0) return { to, lines }
  return { to: wholeCharacter(text, Math.min(text.length, from + chunkCharacters)), lines: 1 }
}

/** Moves a cut that would divide a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index - 1)
  return code >= 0xd800 && code <= 0xdbff && index < text.length ? index - 1 : index
}
