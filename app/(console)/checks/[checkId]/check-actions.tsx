'use client'
import { Download, Pencil, Play, SlidersHorizontal, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { MoreMenu } from '@/components/ui/more-menu'
import { visibleText } from '@/lib/words/clean-text'
import { removeCheck, startCheck } from '../actions'
import { useExport } from '../use-export'

/** Most visits open none of them. */
const RunWith = lazyPart(async () => (await import('../run-with')).RunWith)
const ActWithReason = lazyPart(
  async () => (await import('@/components/forms/reason-dialog')).ActWithReason,
)

type Props = {
  check: {
    id: string
    name: string
    mayEdit: boolean
    /** `id` null = it was deleted. */
    configuration: { id: string | null; name: string }
  }
  /** Those that the reader may run. */
  configurations: readonly { id: string; name: string }[]
}

/** Runs, changes and deletes a check. */
export function CheckActions({ check, configurations }: Props) {
  const { id, mayEdit } = check
  const { busy, act } = useAct()
  const router = useRouter()
  const [open, setOpen] = useState<'run' | 'delete' | null>(null)
  const name = visibleText(check.name)
  const exportFile = useExport(check.name)
  const run = async () => {
    const started = await act(() => startCheck({ id }), {
      failed: 'The check was not started',
      done: `Started ${name}`,
    })
    if (started) router.push(`/checks/runs/${started.checkRunId}`)
  }
  const close = () => setOpen(null)
  const own = visibleText(check.configuration.name)
  return (
    <>
      <Button
        variant="primary"
        loading={busy}
        onClick={() => (check.configuration.id === null ? setOpen('run') : void run())}
      >
        {!busy && <Play className="size-4 fill-current" aria-hidden />}
        Run
      </Button>
      {mayEdit && (
        <Button asChild>
          <Link href={`/checks/${id}/edit`}>
            <Pencil className="size-4" aria-hidden />
            Edit
          </Link>
        </Button>
      )}
      <MoreMenu
        entries={[
          { label: 'Run with…', icon: SlidersHorizontal, onSelect: () => setOpen('run') },
          { label: 'Export', icon: Download, onSelect: () => void exportFile({ check: id }) },
          ...(mayEdit
            ? [null, { label: 'Delete…', icon: Trash2, onSelect: () => setOpen('delete') }]
            : []),
        ]}
      />
      {open === 'run' && (
        <RunWith
          name={check.name}
          hint={
            check.configuration.id === null
              ? `Pick at least one: ${own} was deleted.`
              : `Leave empty for its own, ${own}.`
          }
          configurations={configurations}
          send={(wishes) => startCheck({ id, ...wishes })}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ActWithReason
          title={`Delete ${name}`}
          failed="The check was not deleted"
          done={`Deleted ${name}`}
          send={(reason) => removeCheck({ id, reason })}
          onDone={() => router.push('/checks')}
          onClose={close}
        >
          Its results are deleted, too. Their runs stay.
        </ActWithReason>
      )}
    </>
  )
}
