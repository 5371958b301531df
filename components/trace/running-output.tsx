import { useLayoutEffect, useRef } from 'react'
import { ScrollRegion } from './scroll-region'
import { VisibleText } from './visible-text'

/** The end of what a call wrote; the result has all of it. */
const shownCharacters = 8_000

/** Shows what a call writes while it runs, at its end, in a frame of one height: nothing moves when more comes. */
export function RunningOutput({ text }: { text: string }) {
  const end = useRef<HTMLDivElement>(null)
  const isCut = text.length > shownCharacters
  // External system: the place of the frame, which follows what is written.
  useLayoutEffect(() => {
    const frame = end.current?.parentElement
    if (frame && text !== '') frame.scrollTop = frame.scrollHeight
  }, [text])
  return (
    <ScrollRegion
      label="Output so far"
      className="h-48 overflow-y-auto overscroll-contain rounded-sm border bg-surface-0 p-2"
    >
      {isCut && <p className="text-muted text-sm">Only the end of it.</p>}
      <pre className="whitespace-pre-wrap font-mono text-mono text-normal [overflow-wrap:anywhere]">
        <VisibleText text={text.slice(-shownCharacters)} />
      </pre>
      <div ref={end} />
    </ScrollRegion>
  )
}
