'use client'
import type { CheckRunDetail } from '@toolgate/server/runs/checks/schemas'
import { ClipboardCheck, RotateCcw, Square } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { startCheck, startSuite, stopRunOfCheck } from '@/app/(console)/checks/actions'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'

type Props = {
  run: Pick<CheckRunDetail, 'id' | 'name' | 'isSuite' | 'mode' | 'checks' | 'configurationIds'> & {
    /** A try has no verdict yet. */
    isOpen: boolean
  }
}

/** Stops a run of checks, or starts it once more. On a phone, Stop stays at the lower edge. */
export function CheckRunActions({ run: { isOpen, ...run } }: Props) {
  const { busy, act } = useAct()
  const router = useRouter()
  const { id, name, isSuite, mode, checks, configurationIds } = run
  const [first] = checks
  const again = async () => {
    if (!first) return
    const isNamed = configurationIds.length > 0
    const wishes = { mode, ...(isNamed && { configurations: configurationIds }) }
    const send = () =>
      isSuite
        ? startSuite({ suite: name, ...wishes })
        : startCheck({ id: first.checkId, ...wishes })
    const started = await act(send, {
      failed: 'Not started',
      done: 'Started again',
    })
    if (started) router.push(`/checks/runs/${started.checkRunId}`)
  }
  const stop = () =>
    act(() => stopRunOfCheck({ id }), { failed: 'Not stopped', done: 'Stopped the check' })
  return (
    <>
      {isOpen ? (
        <div
          data-bottom-bar=""
          className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-surface-1 max-md:p-3"
        >
          <Button
            variant="danger"
            className="max-md:w-full"
            loading={busy}
            onClick={() => void stop()}
          >
            {!busy && <Square className="size-3.5 fill-current" aria-hidden />}
            Stop
          </Button>
        </div>
      ) : (
        <Button variant="primary" loading={busy} onClick={() => void again()}>
          {!busy && <RotateCcw className="size-4" aria-hidden />}
          Run again
        </Button>
      )}
      {first && (
        <Button asChild>
          <Link
            href={
              isSuite ? `/checks/suites/${encodeURIComponent(name)}` : `/checks/${first.checkId}`
            }
          >
            <ClipboardCheck className="size-4" aria-hidden />
            {isSuite ? 'Open suite' : 'Open check'}
          </Link>
        </Button>
      )}
    </>
  )
}
