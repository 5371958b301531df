import Link from 'next/link'
import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { VisibleText } from '@/components/trace/visible-text'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'

/** Shows the name of the task at the start; `linked` while it exists and the reader may open its page. */
export function TaskName({
  task,
  linked,
}: {
  task: NonNullable<RunSnapshot['task']>
  linked: boolean
}) {
  const name = <VisibleText text={task.name} />
  return (
    <>
      {linked ? (
        <Link href={`/tasks/${task.taskId}`} className="text-link hover:underline">
          {name}
        </Link>
      ) : (
        name
      )}{' '}
      <span className="numeric text-muted">version {task.version}</span>
    </>
  )
}

/** Shows the values that were filled into the task's prompt. */
export function VariablesUsed({ variables }: { variables: Readonly<Record<string, string>> }) {
  const entries = Object.entries(variables).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  if (entries.length === 0) return null
  return (
    <Disclosure summary={entries.length === 1 ? '1 variable' : `${entries.length} variables`}>
      <dl className="flex flex-col gap-2">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt className="font-mono text-mono text-muted">{name}</dt>
            <dd>
              {value === '' ? (
                <span className="text-muted">empty</span>
              ) : (
                <LongText text={value} label={name} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  )
}
