'use client'

import { memo, useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { formatBytes, utf8Bytes } from '@/lib/protocol/format'
import { foldText, textChunks } from './fold-text'
import { ScrollRegion } from './scroll-region'
import { VisibleText } from './visible-text'

const linePx = 18

/** `label` names the frame that a long text gets; `mono` false is for prose such as a prompt. */
type Props = { text: string; label: string; mono?: boolean }

/** Shows a text of any length: the first twelve lines, and on demand all of it in a frame that scrolls. */
export const LongText = memo(function LongText({ text, label, mono = true }: Props) {
  const [open, setOpen] = useState(false)
  const { head, folded } = useMemo(() => foldText(text), [text])
  if (!folded) return <Lines text={text} mono={mono} />
  return (
    <div className="flex flex-col items-start gap-1">
      {open ? (
        <AllLines text={text} label={label} mono={mono} />
      ) : (
        <Lines text={head} mono={mono} />
      )}
      <Button variant="ghost" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : `Show all (${formatBytes(utf8Bytes(text))})`}
      </Button>
    </div>
  )
})

function Lines({ text, mono }: { text: string; mono: boolean }) {
  return (
    <pre className={textStyles(mono)}>
      <VisibleText text={text} />
    </pre>
  )
}

function AllLines({ text, label, mono }: Required<Props>) {
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
