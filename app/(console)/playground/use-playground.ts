'use client'
import type { RemainingBudget } from '@toolgate/server/domains/budgets/remaining-budgets'
import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import type { RunnableTask, TaskChoice } from '@toolgate/server/domains/tasks/schemas'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { initialValues } from '@/lib/domains/tasks/shared/task-values'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { Role } from '@/lib/protocol/tool'
import { firstWords } from '@/lib/words/clean-text'
import { modeOf, type PanelMode } from './compare/compare-draft'
import { useCompare } from './compare/use-compare'
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
  toInput,
} from './run-draft'
import { filesOf, useAttachments } from './use-attachments'
import { type KnownChangeable, useChangeable } from './use-changeable'
import { type ExplainedTools, useExplainedTools } from './use-explained-tools'
import { useRun } from './use-run'
import { rememberUsed, useRunDraft } from './use-run-draft'
import { type KnownObstacle, useRunObstacle } from './use-start-run'

export type PlaygroundProps = {
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
  from: RunStart | null
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

/** Holds what the Playground shows: the form, the run, and what the server says of both. */
export function usePlayground({
  role,
  configurations,
  explained,
  siteRounds,
  ...props
}: PlaygroundProps) {
  const { joined, from, named, missing, continued, changedFrom } = props
  useAddress(joined?.runId ?? (missing ? 'missing' : null), props.compares)
  const [given] = useState(() =>
    givenDraft({ from, continued, changedFrom, explained, task: props.task }),
  )
  const form = useFilledForm(given, { configurations, explained, named })
  const { draft } = form
  const compare = useCompare({ configurations, wanted: props.compares })
  const about = compare.isOn
    ? { configurationId: compare.draft.ids[0] ?? null, taskId: null }
    : { configurationId: draft.configurationId, taskId: draft.task?.id ?? null }
  const explanations = useExplainedTools(explained, about)
  const { tools } = explanations
  const changeable = useChangeable(props.changeable, draft.configurationId)
  const onStarted = (runId: string, started: RunDraft) => {
    rememberUsed(started.configurationId)
    // A run in a conversation is followed by its next turn.
    if (started.continues) form.fill(turnAfter(runId, started))
  }
  const starting = useRun(joined, { given, tools, onStarted })
  const picked = { configuration: about.configurationId, task: about.taskId }
  const { obstacle, look } = useRunObstacle(props.blocked, picked, starting.running)
  const chosen = configurations.find((each) => each.id === draft.configurationId) ?? null
  return {
    ...explanations,
    form,
    compare,
    about,
    changeable,
    starting,
    chosen,
    most: mostRounds(role, chosen, siteRounds),
    // A task that compares names its configurations itself.
    obstacle: draft.task?.panel?.kind === 'confer' ? null : obstacle,
    look,
  }
}

export type PlaygroundState = ReturnType<typeof usePlayground>

type RunStart = RunEventOf<'run-start'>['data']
type Filled = Partial<RunDraft> & Pick<RunDraft, 'files' | 'dataClass'>

/** Holds the values of the form and its files. `fill` puts others into both, `focus` goes to the prompt. */
function useFilledForm(given: RunDraft | null, known: Parameters<typeof useRunDraft>[1]) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, change, dropped] = useRunDraft(given, known, field)
  const attachments = useAttachments(given)
  const fill = (next: Filled) => {
    change(next)
    attachments.reset(next)
  }
  return { field, draft, change, dropped, attachments, fill, focus: () => field.current?.focus() }
}

function turnAfter(runId: string, { task, prompt }: RunDraft): Filled {
  return {
    ...noTask,
    ...noFiles,
    prompt: '',
    continues: { runId, title: firstWords(task?.name ?? prompt) },
    changes: noChanges,
    changedFrom: null,
  }
}

type RunInput = ReturnType<typeof toInput>

/** Sends the form. The panel beside it opens for what is wrong there. `dryRun`: the last one, null = there was none. */
export function useSending(state: PlaygroundState) {
  const { form, compare, starting, obstacle, look, most, tools } = state
  const [panelOpen, setPanelOpen] = useState(false)
  const [dryRun, setDryRun] = useState<{ open: boolean; input: RunInput } | null>(null)
  const { draft, attachments } = form
  const show = ({ prompt, files, variables, general, ...beside }: Record<string, unknown>) => {
    setPanelOpen(Object.values(beside).some(Boolean))
    if (prompt) form.focus()
  }
  const send = (wanted: RunDraft) => {
    // The obstacle is not known for another configuration, which the server checks.
    if (obstacle && wanted.configurationId === draft.configurationId) return look()
    show(starting.submit(wanted, most))
  }
  const wanted = () => ({ ...draft, ...filesOf(attachments) })
  const showDryRun = () => {
    const found = starting.check(wanted(), most)
    show(found)
    if (Object.keys(found).length === 0) setDryRun({ open: true, input: toInput(wanted(), tools) })
  }
  const isPanel = compare.isOn || Boolean(draft.task?.panel)
  const shown = compare.isOn
    ? { ...compare, running: false, onRun: async () => show(await compare.submit(wanted())) }
    : { ...starting, obstacle, onRun: () => send(wanted()) }
  return {
    ...shown,
    send,
    panelOpen,
    setPanelOpen,
    dryRun,
    onDryRun: isPanel ? null : showDryRun,
    closeDryRun: () => setDryRun(dryRun && { ...dryRun, open: false }),
  }
}

/** Returns what people can do with the run that is shown. */
export function runActions(
  { form, tools, starting: { run } }: PlaygroundState,
  send: (draft: RunDraft) => void,
) {
  const draftOf = (start: RunStart) => run?.draft ?? runDraftOf(start, tools, noTask)
  const fill = (next: RunDraft) => {
    form.fill(next)
    form.focus()
  }
  return {
    onAgain: ({ start }: RunState) => {
      const wanted = start ? draftOf(start) : run?.draft
      if (!wanted) return
      form.fill(wanted)
      send(wanted)
    },
    /** Fills the form with the run, for a change of it. */
    onChange: ({ start }: RunState) => {
      if (!start || !run) return
      const changedFrom = { runId: run.runId, title: firstWords(start.prompt) }
      fill({ ...draftOf(start), changedFrom })
    },
    /** Lets the form write the next turn: the next run starts with what this one said. */
    onContinue: ({ start }: RunState) => {
      if (start && run) fill(nextTurnOf(run.runId, start, tools))
    },
  }
}

/**
 * Asks the server for what the address names, where the page shows something else: "back" leads to the page as it was before a run
 * or a comparison changed its address.
 */
function useAddress(shown: string | null, compares: PanelMode | null): void {
  const router = useRouter()
  // External system: the address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, before anything else changes the address
  useEffect(() => {
    const { pathname, search } = window.location
    const request = new URLSearchParams(search)
    const isShown = shown === 'missing' || request.get('run') === shown
    if (!isShown || modeOf(request.get('compare')) !== compares)
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
}: Pick<
  PlaygroundProps,
  'from' | 'continued' | 'changedFrom' | 'explained' | 'task'
>): RunDraft | null {
  if (from && continued !== null) return nextTurnOf(continued, from, tools)
  if (from && changedFrom !== null) return changedDraftOf(changedFrom, from, tools, task)
  if (from) return runDraftOf(from, tools, task)
  return task.task
    ? { configurationId, picked: null, maxRounds: '', prompt: '', ...noCap, ...noFiles, ...task }
    : null
}

/** Returns the changes that picking a task makes. It picks the task's usual configuration if this person may use it. */
export function withTask(
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
    task,
    values,
    configurationId: usual?.id ?? configurationId,
    ...(task.panel && alone),
  }
}
