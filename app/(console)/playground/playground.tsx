'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import type { RemainingBudget } from '@/lib/domains/budgets/remaining-budgets'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import type { RunnableTask, TaskChoice } from '@/lib/domains/tasks/schemas'
import { initialValues } from '@/lib/domains/tasks/shared/task-values'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { Role } from '@/lib/protocol/tool'
import { firstWords } from '@/lib/words/clean-text'
import { AttachArea } from './attach-area'
import { BudgetsLeft } from './budgets-left'
import { modeOf, type PanelMode } from './compare/compare-draft'
import { mayCompare, useCompare } from './compare/use-compare'
import { demoExamples, usualExamples } from './example-groups'
import {
  ChangedFrom,
  ComparesNote,
  Continues,
  Dropped,
  Missing,
  Trouble,
  Unusable,
} from './notices'
import { Panel } from './panel'
import { PromptOrTask } from './prompt-or-task'
import { noChanges } from './run-changes'
import {
  type ChosenTask,
  changedDraftOf,
  mostRounds,
  nextTurnOf,
  noCap,
  noFiles,
  noTask,
  type RunDraft,
  runDraftOf,
} from './run-draft'
import { SidePanel } from './side-panel'
import { NoConfiguration, StartHere } from './start-here'
import { filesOf, useAttachments } from './use-attachments'
import { type KnownChangeable, useChangeable } from './use-changeable'
import { type ExplainedTools, useExplainedTools } from './use-explained-tools'
import { useRun } from './use-run'
import { rememberUsed, useRunDraft } from './use-run-draft'
import { type KnownObstacle, useRunObstacle } from './use-start-run'

/** Without a run there is nothing to show: the trace is loaded as soon as somebody begins to work here. */
const ShownRun = lazyPart(async () => (await import('./shown-run')).ShownRun)
const CompareFields = lazyPart(async () => (await import('./compare/compare-fields')).CompareFields)

type Props = {
  role: Role
  userId: string
  configurations: ConfigurationListing[]
  tasks: TaskChoice[]
  /** The tools with the verdicts for the configuration that is picked first. */
  explained: ExplainedTools
  /** The first workspace that this reader may use and tools may write in; null = there is none. */
  workspace: string | null
  /** The number of configurations that nobody may use now; counted only for admins who may use none. */
  closed: number
  /** The run the address names. */
  joined: { runId: string; state: RunState } | null
  /** The start of the run that is shown, or whose input fills the form. */
  from: RunEventOf<'run-start'>['data'] | null
  /** The run whose next turn the form writes; null = the address names none. */
  continued: string | null
  /** The run that the form runs again with a change; null = the address names none. */
  changedFrom: string | null
  /** Settings that this reader may change for a single run of the first configuration. */
  changeable: KnownChangeable
  /** The task of that run, or the one that the address names. */
  task: ChosenTask
  /** The address names a configuration, directly or by a run or a task. */
  named: boolean
  /** The mode of comparing in the address; null = none. */
  compares: PanelMode | null
  /** Why the named configuration cannot be used now; null = it can. */
  unusable: string | null
  /** The address names a run that this reader cannot see. */
  missing: boolean
  /** Remaining amounts of the budgets that count this reader's runs. */
  budgets: RemainingBudget[]
  /** The most rounds that a run may make on this site. */
  siteRounds: number
  /** Why no run can start with the configuration and task of this page. */
  blocked: KnownObstacle
}

export function Playground({
  role,
  userId,
  configurations,
  tasks,
  explained,
  siteRounds,
  ...props
}: Props) {
  const { joined, from, named, unusable, missing, budgets, continued, changedFrom } = props
  useAddress(joined?.runId ?? (missing ? 'missing' : null), props.compares)
  const field = useRef<HTMLTextAreaElement>(null)
  const [given] = useState(() =>
    givenDraft({ from, continued, changedFrom, explained, task: props.task }),
  )
  const [draft, change, dropped] = useRunDraft(given, { configurations, explained, named }, field)
  const attachments = useAttachments(given)
  const compare = useCompare({
    ...{ configurations, wanted: props.compares },
  })
  const about = compare.isOn
    ? { configurationId: compare.draft.ids[0] ?? null, taskId: null }
    : { configurationId: draft.configurationId, taskId: draft.task?.id ?? null }
  const { tools, pending, trouble } = useExplainedTools(explained, about)
  const changeable = useChangeable(props.changeable, draft.configurationId)
  // In a conversation, the draft becomes the next turn.
  const onStarted = (runId: string, started: RunDraft) => {
    rememberUsed(started.configurationId)
    if (!started.continues) return
    const title = firstWords(started.task?.name ?? started.prompt)
    const next = {
      ...{ ...noTask, ...noFiles, prompt: '', continues: { runId, title } },
      ...{ changes: noChanges, changedFrom: null },
    }
    change(next)
    attachments.reset(next)
  }
  const { run, running, submit, onEnd, ...starting } = useRun(joined, { given, tools, onStarted })
  const picked = { configuration: about.configurationId, task: about.taskId }
  const { obstacle: ofPicked, look } = useRunObstacle(props.blocked, picked, running)
  // A task that compares names its configurations itself.
  const obstacle = draft.task?.panel?.kind === 'confer' ? null : ofPicked
  const [panelOpen, setPanelOpen] = useState(false)
  const togglePanel = () => setPanelOpen(!panelOpen)
  const chosen = configurations.find((each) => each.id === draft.configurationId) ?? null
  const most = mostRounds(role, chosen, siteRounds)

  const ask = (wanted: RunDraft) => {
    // The obstacle is not known for another configuration, which the server checks.
    if (obstacle && wanted.configurationId === draft.configurationId) return look()
    const found = submit(wanted, most)
    const { prompt, files, variables, general, ...beside } = found
    setPanelOpen(Object.values(beside).some(Boolean))
    if (prompt) field.current?.focus()
  }
  const askAll = async () => {
    const { prompt, files, general, ...beside } = await compare.submit({
      ...{ ...draft, ...filesOf(attachments) },
    })
    setPanelOpen(Object.values(beside).some(Boolean))
    if (prompt) field.current?.focus()
  }
  const compareThem = () => {
    compare.turnOn(draft.configurationId)
    setPanelOpen(true)
  }
  const form = compare.isOn
    ? { ...compare, running: false, onRun: () => void askAll() }
    : {
        ...{ ...starting, obstacle, running },
        onRun: () => ask({ ...draft, ...filesOf(attachments) }),
      }
  const again = ({ start }: RunState) => {
    const wanted = run?.draft ?? (start && runDraftOf(start, tools, noTask))
    if (!wanted) return
    change(wanted)
    attachments.reset(wanted)
    ask(wanted)
  }
  /** Fills the form with a run, for a change of it. */
  const changeRun = (runId: string, { start }: RunState) => {
    if (!start) return
    const given = run?.draft ?? runDraftOf(start, tools, noTask)
    const next = { ...given, changedFrom: { runId, title: firstWords(start.prompt) } }
    change(next)
    attachments.reset(next)
    field.current?.focus()
  }
  /** Lets the form write the next turn: the next run starts with what this one said. */
  const goOn = (runId: string, { start }: RunState) => {
    if (!start) return
    const next = nextTurnOf(runId, start, tools)
    change(next)
    attachments.reset(next)
    field.current?.focus()
  }
  const pickExample = (prompt: string) => {
    change({ prompt })
    field.current?.focus()
  }
  const pickTask = (task: RunnableTask | null) => change(withTask(task, draft, configurations))
  const shown = { tools, picked: draft.picked, role, workspace: props.workspace }
  const examples = chosen?.wire === 'demo' ? demoExamples(shown) : usualExamples(shown)

  return (
    <div className="flex flex-col lg:flex-row">
      <h1 className="sr-only">Playground</h1>
      {compare.isOn ? (
        <SidePanel open={panelOpen} onToggle={togglePanel} line={compare.line}>
          <CompareFields
            {...{ role, userId, configurations, tools, pending, trouble }}
            draft={compare.draft}
            errors={compare.errors}
            onChange={compare.change}
            onLeave={() => compare.turnOff(run?.runId ?? null)}
          />
        </SidePanel>
      ) : (
        <Panel
          {...{ role, userId, configurations, tasks, chosen, tools, pending, trouble, draft, most }}
          changeable={changeable}
          errors={starting.errors}
          open={panelOpen}
          onToggle={togglePanel}
          onChange={change}
          onTask={pickTask}
          onCompare={mayCompare(draft, configurations) ? compareThem : null}
        />
      )}
      <div
        className="flex min-w-0 flex-1 flex-col gap-4 p-4 pb-24 md:px-6 md:pb-8"
        {...ShownRun.soon}
      >
        <AttachArea attachments={attachments} error={form.errors.files}>
          {draft.continues && (
            <Continues title={draft.continues.title} onLeave={() => change({ continues: null })} />
          )}
          {draft.changedFrom && (
            <ChangedFrom
              title={draft.changedFrom.title}
              onLeave={() => change({ changedFrom: null, changes: noChanges })}
            />
          )}
          <PromptOrTask
            {...{ field, draft }}
            running={form.running}
            members={compare.isOn ? compare.draft.ids.length : null}
            obstacle={form.obstacle}
            errors={form.errors}
            busy={form.busy}
            onChange={change}
            onLeaveTask={() => pickTask(null)}
            onRun={form.onRun}
          />
        </AttachArea>
        {dropped !== null && <Dropped length={dropped} />}
        <BudgetsLeft initial={budgets} configurationId={about.configurationId} running={running} />
        {form.errors.general && <Trouble general={form.errors.general} />}
        {compare.isOn && <ComparesNote />}
        {missing && !run && !compare.isOn && <Missing />}
        {unusable && !chosen && !running && <Unusable>{unusable}</Unusable>}
        {!run && configurations.length === 0 && (
          <NoConfiguration role={role} closed={props.closed} />
        )}
        {!run && !compare.isOn && configurations.length > 0 && !draft.task && (
          <StartHere groups={examples} onPick={pickExample} />
        )}
        {run && !compare.isOn && (
          <ShownRun
            key={run.runId}
            runId={run.runId}
            initial={run.state}
            busy={starting.busy}
            obstacle={obstacle && { ...obstacle, configurationId: draft.configurationId }}
            onEnd={onEnd}
            onAgain={again}
            userId={userId}
            onContinue={(state) => goOn(run.runId, state)}
            onChange={(state) => changeRun(run.runId, state)}
          />
        )}
      </div>
    </div>
  )
}

/**
 * Asks the server for what the address names, where the page shows something else: "back" leads to the page as it was before a run
 * or a comparison changed its address.
 */
function useAddress(shown: string | null, compares: PanelMode | null): void {
  const router = useRouter()
  // Outside system: the address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, before anything else changes the address
  useEffect(() => {
    const { pathname, search } = window.location
    const asked = new URLSearchParams(search)
    const isShown = shown === 'missing' || asked.get('run') === shown
    if (!isShown || modeOf(asked.get('compare')) !== compares)
      router.replace(`${pathname}${search}`, { scroll: false })
  }, [])
}

/** Returns the first values of the form; null = those that this browser remembers. */
function givenDraft({
  from,
  continued,
  changedFrom,
  explained: { configurationId, tools },
  task,
}: Pick<Props, 'from' | 'continued' | 'changedFrom' | 'explained' | 'task'>): RunDraft | null {
  if (from && continued !== null) return nextTurnOf(continued, from, tools)
  if (from && changedFrom !== null) return changedDraftOf(changedFrom, from, tools, task)
  if (from) return runDraftOf(from, tools, task)
  return task.task
    ? { configurationId, picked: null, maxRounds: '', prompt: '', ...noCap, ...noFiles, ...task }
    : null
}

/** Returns the changes that picking a task makes. It picks the task's usual configuration if this person may use it. */
function withTask(
  task: RunnableTask | null,
  { configurationId }: RunDraft,
  configurations: readonly ConfigurationListing[],
): Partial<RunDraft> {
  if (!task) return noTask
  const usual = configurations.find(({ id }) => id === task.configurationId)
  const values = initialValues(task.variables)
  // A panel neither continues a conversation nor changes a run.
  const alone = { continues: null, changedFrom: null, changes: noChanges }
  return {
    ...{ task, values, configurationId: usual?.id ?? configurationId },
    ...(task.panel && alone),
  }
}
