'use client'

import { memo, useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatBytes } from '@/lib/protocol/format'
import { foldText, textChunks } from './fold-text'
import { VisibleText } from './visible-text'

const linePx = 18

/** Monospaced text of any length: twelve lines first, all of it in a frame of its own on demand. */
export const LongText = memo(function LongText({ text, label }: { text: string; label: string }) {
  const [open, setOpen] = useState(false)
  const { head, folded } = useMemo(() => foldText(text), [text])
  if (!folded) return <Lines text={text} />
  return (
    <div className="flex flex-col items-start gap-1">
      {open ? <AllLines text={text} label={label} /> : <Lines text={head} />}
      <Button variant="ghost" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : `Show all (${formatBytes(byteLength(text))})`}
      </Button>
    </div>
  )
})

const textStyles = 'w-full whitespace-pre-wrap font-mono text-mono text-normal [overflow-wrap:anywhere]'

function Lines({ text }: { text: string }) {
  return (
    <pre className={textStyles}>
      <VisibleText text={text} />
    </pre>
  )
}

function AllLines({ text, label }: { text: string; label: string }) {
  const chunks = useMemo(() => textChunks(text), [text])
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[70vh] w-full overflow-y-auto overscroll-contain rounded-sm border bg-surface-0 p-2"
    >
      {chunks.map((chunk, index) => (
        <pre
          // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change while it is shown
          key={index}
          className={`${textStyles} [content-visibility:auto]`}
          style={{ containIntrinsicSize: `auto ${chunk.lines * linePx}px` }}
        >
          <VisibleText text={chunk.text} />
        </pre>
      ))}
    </section>
  )
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
