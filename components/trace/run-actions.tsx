'use client'

import { Check, ClipboardCheck, Columns2, Download, History, Link2, ListTree } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'

/** Shows what can be done with a run that ended; `children` are the page's own first choices. */
export function RunActions({
  runId,
  open = false,
  children,
}: {
  runId: string
  /** True = shows a link to the run's own page. */
  open?: boolean
  children?: ReactNode
}) {
  return (
    <>
      {children}
      {open && (
        <Button asChild size="sm">
          <Link href={`/runs/${runId}`}>
            <ListTree className="size-4" aria-hidden />
            Open in Runs
          </Link>
        </Button>
      )}
      <CopyLink path={`/runs/${runId}`} />
      <Button asChild size="sm">
        <a href={`/api/runs/${runId}/export`} download>
          <Download className="size-4" aria-hidden />
          Export NDJSON
        </a>
      </Button>
    </>
  )
}

/** Links to this run beside the one that it is, with a change. */
export function CompareLink({ runId }: { runId: string }) {
  return (
    <Button asChild size="sm">
      <Link href={`/runs/${runId}/compare`}>
        <Columns2 className="size-4" aria-hidden />
        Compare
      </Link>
    </Button>
  )
}

/** Links to the form that keeps this run as a check. The form says why when it cannot be one. */
export function SaveCheckLink({ runId }: { runId: string }) {
  return (
    <Button asChild size="sm">
      <Link href={`/runs/${runId}/check`}>
        <ClipboardCheck className="size-4" aria-hidden />
        Save as check
      </Link>
    </Button>
  )
}

/** Links to what today's policy would have done in this run. */
export function ReplayLink({ runId }: { runId: string }) {
  return (
    <Button asChild size="sm">
      <Link href={`/runs/${runId}/replay`}>
        <History className="size-4" aria-hidden />
        Replay with today’s policy
      </Link>
    </Button>
  )
}

function CopyLink({ path }: { path: string }) {
  const [word, setWord] = useState('Copy link')
  const copy = async () => {
    const address = new URL(path, window.location.href).href
    try {
      await navigator.clipboard.writeText(address)
      setWord('Link copied')
    } catch {
      setWord(address)
    }
  }
  return (
    <Button size="sm" onClick={copy}>
      {word === 'Link copied' ? (
        <Check className="size-4" aria-hidden />
      ) : (
        <Link2 className="size-4" aria-hidden />
      )}
      <span aria-live="polite">{word}</span>
    </Button>
  )
}
