import type { CheckDetail } from '@toolgate/server/domains/checks/schemas'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ToolSource } from '@/lib/protocol/run/fork'
import { OverrideName, overrideWords } from '@/lib/protocol/run/override-names'
import { overrideFields } from '@/lib/protocol/run/run-overrides'
import { visibleText } from '@/lib/words/clean-text'
import { formatCostMicroUsd, formatCount, listLabel } from '@/lib/words/format'
import { sourceWords } from './edit/source-drafts'

type Props = {
  check: CheckDetail
  /** The reader may open configurations. */
  admin: boolean
  /** The run that it was saved from exists, and the reader may open it. */
  hasRun: boolean
}

/** Shows where a check comes from, and with what its runs begin. */
export function CheckFacts({ check, admin, hasRun }: Props) {
  const { tools, maxRounds, costCap, outputSchema, task, files, sources } = check
  const changes = changedIn(check)
  return (
    <section aria-label="About this check" className="rounded-md border bg-surface-1 p-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Fact label="Configuration">
          <Configuration check={check} admin={admin} />
        </Fact>
        <Fact label="Tries">{triesWords(check)}</Fact>
        <Fact label="Results of tools">{sourcesWords(sources)}</Fact>
        <Fact label="Groups">
          {check.groups.length === 0
            ? 'None'
            : check.groups.map(({ name }) => visibleText(name)).join(', ')}
        </Fact>
        <Fact label="Author">
          <VisibleText text={check.createdByLabel} />
        </Fact>
        <Fact label="Changed">
          <RelativeTime at={check.updatedAt} />
        </Fact>
        <Fact label="Saved from">
          {hasRun ? (
            <Link href={`/runs/${check.runId}`} className="text-link hover:underline">
              A run
            </Link>
          ) : check.runId === null ? (
            'A file'
          ) : (
            'A run that is deleted or not yours'
          )}
        </Fact>
        {task && (
          <Fact label="Task">
            <VisibleText text={task.name} />
          </Fact>
        )}
        {files.length > 0 && (
          <Fact label="Files">{files.map(({ name }) => visibleText(name)).join(', ')}</Fact>
        )}
        <Fact label="Tools picked">{listLabel('pickedTools', tools)}</Fact>
        {maxRounds !== null && <Fact label="Maximum rounds">{formatCount(maxRounds)}</Fact>}
        {costCap?.limitMicroUsd !== undefined && (
          <Fact label="Cost cap">{formatCostMicroUsd(costCap.limitMicroUsd)}</Fact>
        )}
        {outputSchema && <Fact label="Output schema">Set</Fact>}
        {changes.length > 0 && <Fact label="Changed for its runs">{changes.join(', ')}</Fact>}
      </dl>
    </section>
  )
}

function Configuration({ check: { configuration, mayEdit }, admin }: Omit<Props, 'hasRun'>) {
  const { id, name } = configuration
  if (id === null)
    return (
      <span className="text-warning">
        <VisibleText text={name} /> was deleted.{' '}
        {mayEdit ? 'Edit the check to pick another one.' : 'Ask its author to pick another one.'}
      </span>
    )
  if (!admin) return <VisibleText text={name} />
  return (
    <Link href={`/configurations/${id}`} className="text-link hover:underline">
      <VisibleText text={name} />
    </Link>
  )
}

function triesWords({ tries, passes }: CheckDetail): string {
  if (tries === 1) return '1'
  return tries === passes
    ? `${formatCount(tries)}, all must pass`
    : `${formatCount(tries)}, at least ${formatCount(passes)} must pass`
}

/** Returns where results come from in words: "Recorded; get_time is called". */
function sourcesWords(sources: Readonly<Record<string, ToolSource>>): string {
  const others = Object.entries(sources).map(
    ([tool, { type }]) => `${visibleText(tool)}: ${sourceWords[type].toLowerCase()}`,
  )
  return ['Recorded', ...others].join('; ')
}

function changedIn({ overrides }: CheckDetail): string[] {
  if (overrides === null) return []
  return OverrideName.options
    .filter((name) => overrides[overrideFields[name]] !== undefined)
    .map((name) => overrideWords[name])
}
