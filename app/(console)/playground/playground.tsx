'use client'
import { lazyPart } from '@/components/ui/lazy-part'
import { AttachArea } from './attach-area'
import { BudgetsLeft } from './budgets-left'
import { mayCompare } from './compare/use-compare'
import { demoExamples, usualExamples } from './example-groups'
import { ChangedFrom, Continues, DraftProblem, Dropped, Missing, Unusable } from './notices'
import { Panel } from './panel'
import { PromptOrTask } from './prompt-or-task'
import { noChanges } from './run-changes'
import { SidePanel } from './side-panel'
import { NoConfiguration, StartHere } from './start-here'
import {
  type PlaygroundProps,
  type PlaygroundState,
  runActions,
  usePlayground,
  useSending,
  withTask,
} from './use-playground'

/** Without a run there is nothing to show: the trace is loaded as soon as somebody begins to work here. */
const ShownRun = lazyPart(async () => (await import('./shown-run')).ShownRun)
const DryRunSheet = lazyPart(async () => (await import('./dry-run-sheet')).DryRunSheet)
const CompareFields = lazyPart(async () => (await import('./compare/compare-fields')).CompareFields)

type Sending = ReturnType<typeof useSending>
type PartProps = { page: PlaygroundProps; state: PlaygroundState; sending: Sending }

export function Playground(page: PlaygroundProps) {
  const state = usePlayground(page)
  const sending = useSending(state)
  const parts = { page, state, sending }
  const { form, compare, starting, about, obstacle } = state
  const { run } = starting
  const { configurationId } = form.draft
  return (
    <div className="flex flex-col lg:flex-row">
      <h1 className="sr-only">Playground</h1>
      <Settings {...parts} />
      <div
        className="flex min-w-0 flex-1 flex-col gap-4 p-4 pb-24 md:px-6 md:pb-8"
        {...ShownRun.soon}
      >
        <PromptForm {...parts} />
        {form.dropped !== null && <Dropped />}
        <BudgetsLeft
          initial={page.budgets}
          configurationId={about.configurationId}
          running={starting.running}
        />
        <Notices {...parts} />
        {run && !compare.isOn && (
          <ShownRun
            key={run.runId}
            runId={run.runId}
            prompt={form.draft.task ? undefined : form.draft.prompt}
            initial={run.state}
            busy={starting.busy}
            obstacle={obstacle && { ...obstacle, configurationId }}
            onEnd={starting.onEnd}
            userId={page.userId}
            {...runActions(state, sending.send)}
          />
        )}
      </div>
    </div>
  )
}

/** Shows the panel beside the form: the settings of one run, or of the configurations that are compared. */
function Settings({ page, state, sending: { panelOpen, setPanelOpen } }: PartProps) {
  const { role, userId, configurations, tasks } = page
  const { form, compare, starting, tools, pending, problem, chosen, changeable, most } = state
  const { draft, change } = form
  const togglePanel = () => setPanelOpen(!panelOpen)
  if (compare.isOn)
    return (
      <SidePanel open={panelOpen} onToggle={togglePanel} line={compare.line}>
        <CompareFields
          role={role}
          userId={userId}
          configurations={configurations}
          tools={tools}
          pending={pending}
          problem={problem}
          draft={compare.draft}
          errors={compare.errors}
          onChange={compare.change}
          onLeave={() => compare.turnOff(starting.run?.runId ?? null)}
        />
      </SidePanel>
    )
  const compareThem = () => {
    compare.turnOn(draft.configurationId)
    setPanelOpen(true)
  }
  return (
    <Panel
      role={role}
      userId={userId}
      configurations={configurations}
      tasks={tasks}
      chosen={chosen}
      tools={tools}
      pending={pending}
      problem={problem}
      draft={draft}
      most={most}
      changeable={changeable}
      errors={starting.errors}
      open={panelOpen}
      onToggle={togglePanel}
      onChange={change}
      onTask={(task) => change(withTask(task, draft, configurations))}
      onCompare={mayCompare(draft, configurations) ? compareThem : null}
    />
  )
}

function PromptForm({ page, state, sending }: PartProps) {
  const { compare } = state
  const { field, draft, change, attachments } = state.form
  return (
    <AttachArea attachments={attachments} error={sending.errors.files}>
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
        field={field}
        draft={draft}
        running={sending.running}
        members={compare.isOn ? compare.draft.ids.length : null}
        obstacle={sending.obstacle}
        errors={sending.errors}
        busy={sending.busy}
        onChange={change}
        onLeaveTask={() => change(withTask(null, draft, page.configurations))}
        onRun={sending.onRun}
        onDryRun={sending.onDryRun}
      />
      {sending.dryRun && (
        <DryRunSheet
          {...sending.dryRun}
          role={page.role}
          userId={page.userId}
          onClose={sending.closeDryRun}
        />
      )}
    </AttachArea>
  )
}

/** Says what is wrong, and offers examples while there is no run. */
function Notices({ page, state, sending }: PartProps) {
  const { role, configurations, workspace, unusable, missing, closed } = page
  const { compare, tools, chosen } = state
  const { draft, change, focus } = state.form
  const { run, running } = state.starting
  const shown = { tools, picked: draft.picked, role, workspace }
  const examples = chosen?.wire === 'demo' ? demoExamples(shown) : usualExamples(shown)
  const pickExample = (prompt: string) => {
    change({ prompt })
    focus()
  }
  return (
    <>
      {sending.errors.general && <DraftProblem general={sending.errors.general} />}
      {missing && !run && !compare.isOn && <Missing />}
      {unusable && !chosen && !running && <Unusable>{unusable}</Unusable>}
      {!run && configurations.length === 0 && <NoConfiguration role={role} closed={closed} />}
      {!run && !compare.isOn && configurations.length > 0 && !draft.task && (
        <StartHere groups={examples} onPick={pickExample} />
      )}
    </>
  )
}
