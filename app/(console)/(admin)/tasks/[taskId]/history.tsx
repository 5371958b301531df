import Link from 'next/link'
import { DiffView } from '@/components/nouns/diff-view'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import type { TaskVersionView } from '@/lib/domains/tasks/schemas'
import { diffTasks } from '@/lib/domains/tasks/shape'
import { diffLines } from '@/lib/protocol/diff-lines'
import type { TaskForm } from '@/lib/protocol/task-form'
import { RestoreVersion } from './restore-version'

type Props = {
  taskId: string
  /** The current version and its form. */
  current: { version: number; form: TaskForm }
  versions: TaskVersionView[]
  /** The version that is compared with the version before it. */
  compared: number
}

/** Shows the versions of a task, newest first. */
export function History({ taskId, current, versions, compared }: Props) {
  return (
    <Section title="History">
      <ol className="divide-y rounded-md border bg-surface-1">
        {versions.map((entry, index) => (
          <Entry
            key={entry.version}
            taskId={taskId}
            entry={entry}
            before={versions[index + 1]}
            current={current}
            isCompared={entry.version === compared}
          />
        ))}
      </ol>
    </Section>
  )
}

type EntryProps = {
  taskId: string
  entry: TaskVersionView
  before: TaskVersionView | undefined
  current: Props['current']
  isCompared: boolean
}

function Entry({ taskId, entry, before, current, isCompared }: EntryProps) {
  const { version, note, createdAt, createdByLabel, form } = entry
  const counts = version === current.version
  const address = isCompared ? `/tasks/${taskId}` : `/tasks/${taskId}?changes=${version}`
  return (
    <li className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="numeric text-strong">Version {version}</h3>
        {counts && <Badge tone="ok">Current</Badge>}
        <span className="text-muted text-sm">
          <RelativeTime at={createdAt} /> by {createdByLabel}
        </span>
        <span className="min-w-0 text-sm [overflow-wrap:anywhere]">
          <VisibleText text={note} />
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {before && (
            <Button asChild size="sm">
              <Link href={address} scroll={false}>
                {isCompared ? 'Hide changes' : 'Show changes'}
                <span className="sr-only"> of version {version}</span>
              </Link>
            </Button>
          )}
          {!counts && (
            <RestoreVersion
              taskId={taskId}
              restored={version}
              version={current.version}
              changes={diffTasks(current.form, form).map(({ label }) => label)}
            />
          )}
        </span>
      </div>
      {isCompared && before && <Changes before={before} after={entry} />}
    </li>
  )
}

function Changes({ before, after }: { before: TaskVersionView; after: TaskVersionView }) {
  return (
    <dl className="flex flex-col gap-2">
      {diffTasks(before.form, after.form).map((each) => (
        <div key={each.field}>
          <dt className="text-muted text-sm">{each.label}</dt>
          <dd>
            <DiffView
              parts={diffLines(`${each.before}\n`, `${each.after}\n`)}
              label={`Changes of version ${after.version} in: ${each.label}`}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
