import type { RunRecord } from '@toolgate/server/runs/read-run'
import Link from 'next/link'
import { shortChecksum, ToolNames } from '@/components/nouns/skill-words'
import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { targetName } from '@/components/trace/note-line'
import { VisibleText } from '@/components/trace/visible-text'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import { leastTrusted } from '@/lib/protocol/model/model-target'
import { skillText } from '@/lib/protocol/model/model-text'
import {
  defaultOptions,
  parametersThatAreSet,
  parameterWords,
} from '@/lib/protocol/parameters/parameters'
import { overrideWords } from '@/lib/protocol/run/override-names'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { zoneWords } from '@/lib/protocol/trust-words'
import { countOf, formatDuration, listLabel } from '@/lib/words/format'

type Start = RunEventOf<'run-start'>['data']

const sourceWords = {
  console: 'Playground',
  api: 'HTTP API',
  cli: 'Command line',
  schedule: 'Schedule',
  run: 'Another run',
  try: 'Try it (demo)',
  check: 'Check',
}

/** Shows who ran it, when, from where, and on which configuration as it was at that time. */
export function RunFacts({
  record,
  start,
  by,
  admin,
}: {
  record: Pick<RunRecord, 'runId' | 'createdAt' | 'source' | 'taskId' | 'variables' | 'tools'>
  /** The reader may open the task's page. */
  admin: boolean
  start: Start | null
  /** Name of the person who started it. */
  by: string
}) {
  return (
    <section aria-label="About this run" className="rounded-md border bg-surface-1 p-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Fact label="Started">
          <RelativeTime at={record.createdAt} />
        </Fact>
        <Fact label="By">
          <VisibleText text={by} />
        </Fact>
        <Fact label="From">
          <Origin record={record} start={start} />
        </Fact>
        {start?.snapshot.task && (
          <Fact label="Task">
            <TaskName task={start.snapshot.task} linked={admin && record.taskId !== null} />
          </Fact>
        )}
        {start?.panelId && (
          <Fact label="Panel">
            <Link href={`/runs/panels/${start.panelId}`} className="text-link hover:underline">
              Member of a panel
            </Link>
          </Fact>
        )}
        <Fact label="Tools picked">{listLabel('pickedTools', record.tools)}</Fact>
        {start && <SnapshotFacts snapshot={start.snapshot} />}
        {start?.overridden && <ChangesFact start={start} admin={admin} runId={record.runId} />}
        <Fact label="Run">
          <span className="font-mono text-mono">{record.runId}</span>
        </Fact>
      </dl>
      {start && start.snapshot.systemPrompt !== '' && (
        <Disclosure summary="System prompt">
          <p className="max-w-[80ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
            <VisibleText text={start.snapshot.systemPrompt} />
          </p>
        </Disclosure>
      )}
      <VariablesUsed variables={record.variables} />
      {start && <SkillsUsed start={start} />}
    </section>
  )
}

/** Shows where a run came from, as a link to the call or the check that started it. */
function Origin({
  record: { runId, source },
  start,
}: {
  record: Pick<RunRecord, 'runId' | 'source'>
  start: Start | null
}) {
  if (start?.parent)
    return (
      <Link
        href={`/runs/${start.parent.runId}#call-${start.parent.callId}`}
        className="text-link hover:underline"
      >
        A call of another run
      </Link>
    )
  const check = start?.check ?? start?.judges
  if (!check) return sourceWords[source]
  return (
    <Link href={`/checks/of/${runId}`} prefetch={false} className="text-link hover:underline">
      {start?.judges ? 'Judge of the check' : 'Check'} <VisibleText text={check.name} />
    </Link>
  )
}

/** Shows what the run has otherwise than its configuration, and for admins the way to keep it. */
function ChangesFact({ start, admin, runId }: { start: Start; admin: boolean; runId: string }) {
  const { configurationId, systemPrompt } = start.snapshot
  const names = (start.overridden ?? []).map((name) =>
    name === 'system-prompt' && systemPrompt === ''
      ? 'Without a system prompt'
      : overrideWords[name],
  )
  return (
    <Fact label="Changed for this run">
      {names.join(', ')}
      {admin && configurationId !== null && (
        <>
          {' '}
          <Link
            href={`/configurations/${configurationId}/edit?run=${runId}`}
            className="text-link hover:underline"
          >
            Save to the configuration
          </Link>
        </>
      )}
    </Fact>
  )
}

function SnapshotFacts({ snapshot }: { snapshot: RunSnapshot }) {
  const set = setParameters(snapshot)
  return (
    <>
      <Fact label="Configuration">{snapshot.configurationName}</Fact>
      <Fact label={snapshot.targets.length > 1 ? 'Models in order' : 'Model'}>
        {snapshot.targets.map((_, index) => targetName(snapshot.targets, index)).join(', then ')}
      </Fact>
      <Fact label="Trust zone">{zoneOf(snapshot)}</Fact>
      <Fact label="Allowed tool groups">{listLabel('toolGroups', snapshot.allowedToolGroups)}</Fact>
      {snapshot.allowedTools !== undefined && snapshot.allowedTools.length > 0 && (
        <Fact label="Allowed single tools">{snapshot.allowedTools.join(', ')}</Fact>
      )}
      <Fact label="Limits">
        {countOf(snapshot.maxRounds, 'round')}, {formatDuration(snapshot.timeLimitMs)}
      </Fact>
      {set.length > 0 && <Fact label="Parameters">{set.join(', ')}</Fact>}
    </>
  )
}

/** Returns the least trusted provider of the models, whose trust zone decided which data tools might return. */
function zoneOf({ targets }: RunSnapshot): string | null {
  const least = leastTrusted(targets)
  if (!least) return null
  const zone = zoneWords[least.zone]
  return targets.length > 1 ? `${zone} (${least.connectionName})` : zone
}

/** Returns the parameters that are set. Of long values it only says that they are set. */
function setParameters({ parameters, options = defaultOptions }: RunSnapshot): string[] {
  const all = { ...parameters, ...options }
  return parametersThatAreSet(all).map(({ key, label, control }) => {
    const isLong = control.type === 'json' || control.type === 'lines'
    return `${label.toLowerCase()} ${isLong ? 'set' : parameterWords(key, all)}`
  })
}

/** Shows the skills of the run as they were at its start, and the exact text that was sent before the prompt. */
export function SkillsUsed({ start }: { start: Start }) {
  const { skills } = start.snapshot
  if (skills.length === 0) return null
  return (
    <Disclosure summary={`Skills (${skills.length})`}>
      <div className="flex flex-col gap-2">
        <ul className="flex flex-col gap-1">
          {skills.map(({ skillId, name, version, checksum, allowedTools }) => (
            <li key={skillId} className="[overflow-wrap:anywhere]">
              <code className="font-mono text-mono text-strong">{name}</code> version {version},
              SHA-256 <code className="font-mono text-mono">{shortChecksum(checksum)}</code>,
              allowed tools: <ToolNames names={allowedTools} />
            </li>
          ))}
        </ul>
        <p className="text-muted">Sent before the prompt:</p>
        <LongText text={skillText(skills, start)} label="Skills as the model saw them" />
      </div>
    </Disclosure>
  )
}

/** Shows the name of the task at the start; `linked` while it exists and the reader may open its page. */
function TaskName({ task, linked }: { task: NonNullable<RunSnapshot['task']>; linked: boolean }) {
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
function VariablesUsed({ variables }: { variables: Readonly<Record<string, string>> }) {
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
