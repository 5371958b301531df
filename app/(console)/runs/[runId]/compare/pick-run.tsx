import type { RunRow } from '@toolgate/server/runs/schemas'
import Form from 'next/form'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { firstWords } from '@/lib/words/clean-text'

type Props = {
  runId: string
  others: readonly RunRow[]
  admin: boolean
}

/** Lists runs, each as a link to its comparison with this one. */
export function PickRun({ runId, others, admin }: Props) {
  if (others.length === 0) return <p>No other run.</p>
  return (
    <ul aria-label="Runs" className="flex flex-col divide-y rounded-md border bg-surface-1">
      {others.map((run) => (
        <li key={run.runId} className="flex flex-wrap items-baseline gap-x-4 px-3 py-2">
          <Link
            href={`/runs/${runId}/compare?with=${run.runId}`}
            className="min-w-0 flex-1 basis-60 text-link [overflow-wrap:anywhere] hover:underline"
          >
            <VisibleText text={firstWords(run.prompt)} />
          </Link>
          <span className="max-w-full truncate text-muted text-sm">
            <VisibleText
              text={admin ? `${run.configurationName}, ${run.userName}` : run.configurationName}
            />
            , <RelativeTime at={run.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Takes the id of the run to compare with. */
export function NameRun({ runId }: Pick<Props, 'runId'>) {
  return (
    <Section title="By id">
      <Form action={`/runs/${runId}/compare`} className="flex flex-wrap items-end gap-2">
        <label htmlFor="with" className="flex min-w-0 flex-col gap-1">
          Id of the run
          <Input
            id="with"
            name="with"
            required
            autoComplete="off"
            spellCheck={false}
            className="w-80 max-w-full font-mono text-mono"
          />
        </label>
        <Button type="submit">Compare</Button>
      </Form>
    </Section>
  )
}
