'use client'
import type { CheckLine } from '@toolgate/server/toolset/servers/check'
import { RefreshCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { WaitingTime } from '@/components/ui/waiting-time'
import { foundTools } from '@/lib/domains/servers/shape'
import { formatDuration } from '@/lib/words/format'
import { checkLive, type Outcome } from './check-live'

/** `lines`: the newest ones; `end` null = it runs. */
type Check = {
  lines: readonly CheckLine[]
  /** When the first line passed, by the clock of the server; null = none did. */
  firstAt: number | null
  end: null | 'stopped' | Outcome | { failed: string }
}

const shownLines = 20

/**
 * Connects to a server, reads its tools, and shows what passes between it and Toolgate while that happens. `downloads`: its
 * program may be downloaded first.
 */
export function CheckServer({
  id,
  isNew,
  downloads,
}: {
  id: string
  isNew: boolean
  downloads: boolean
}) {
  const router = useRouter()
  const [check, setCheck] = useState<Check | null>(null)
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const start = async () => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setCheck({ lines: [], firstAt: null, end: null })
    const onLine = (line: CheckLine) =>
      setCheck(
        (before) =>
          before && {
            ...before,
            firstAt: before.firstAt ?? line.at,
            lines: [...before.lines, line].slice(-shownLines),
          },
      )
    const result = await sendAction(() => checkLive(id, { onLine, signal }))
    const end = signal.aborted
      ? 'stopped'
      : result.ok
        ? result.value
        : { failed: result.error.message }
    setCheck((before) => before && { ...before, end })
    router.refresh()
  }
  const isRunning = check?.end === null
  const close = () => {
    stopping.current?.abort()
    setCheck(null)
  }
  return (
    <>
      <Button variant={isNew ? 'primary' : 'secondary'} onClick={() => void start()}>
        <RefreshCw className="size-4" aria-hidden />
        {isNew ? 'Connect and review' : 'Check now'}
      </Button>
      {check && (
        <Dialog
          open
          onOpenChange={(open) => !open && close()}
          title="Check of the server"
          className="max-w-2xl"
          footer={
            isRunning ? (
              <Button onClick={() => stopping.current?.abort()}>Stop</Button>
            ) : (
              <Button variant="primary" onClick={close}>
                {isReviewed(check.end) ? 'Close' : 'Review the tools'}
              </Button>
            )
          }
        >
          {isRunning && (
            <p className="text-muted">
              {downloads && 'The first start downloads it: at most 5 minutes. '}
              <WaitingTime />
            </p>
          )}
          <End end={check.end} />
          <Lines lines={check.lines} firstAt={check.firstAt} />
        </Dialog>
      )}
    </>
  )
}

/** Returns whether no tool waits for a person. */
function isReviewed(end: Check['end']): boolean {
  return end === null || end === 'stopped' || !('toReview' in end) || end.toReview === 0
}

function End({ end }: Pick<Check, 'end'>) {
  if (end === null) return <p role="status">Connecting and reading its tools…</p>
  if (end === 'stopped') return <p role="status">The check was stopped.</p>
  if ('failed' in end) return <ErrorNotice title="It was not checked">{end.failed}</ErrorNotice>
  const { trouble } = end
  if (trouble !== null) return <ErrorNotice title="It cannot be reached">{trouble}</ErrorNotice>
  return <p role="status">{foundTools(end)}</p>
}

const whose = { toolgate: 'Toolgate', server: 'Server', log: 'Its log' } as const

/** Shows the newest messages. The last one stays in view until the reader scrolls up. */
function Lines({ lines, firstAt }: Pick<Check, 'lines' | 'firstAt'>) {
  const list = useRef<HTMLOListElement>(null)
  const follows = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each line makes the list longer
  useEffect(() => {
    if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [lines])
  if (firstAt === null) return null
  return (
    <ol
      ref={list}
      aria-label="Newest messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < 8
      }}
      className="max-h-80 overflow-auto rounded-md border bg-surface-1 p-2 font-mono text-mono"
    >
      {lines.map(({ at, from, text }, place) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: lines only have their place
          key={place}
          className="grid grid-cols-[4rem_1fr] gap-x-2 sm:grid-cols-[4rem_5rem_1fr]"
        >
          <span className="text-muted">{formatDuration(at - firstAt)}</span>
          <span className="text-muted">{whose[from]}</span>
          <span className="max-sm:col-span-2 [overflow-wrap:anywhere]">
            <VisibleText text={text} />
          </span>
        </li>
      ))}
    </ol>
  )
}
