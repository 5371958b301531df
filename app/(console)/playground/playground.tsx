'use client'
import { useCallback, useRef, useState } from 'react'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ConfigurationListing } from '@/lib/configurations/schemas'
import { initialRunState, type RunState } from '@/lib/protocol/fold-run'
import type { RunEventOf } from '@/lib/protocol/run-event'
import type { Role } from '@/lib/protocol/tool'
import { useFreezeCheck } from '../shell/freeze-watch'
import { examplePrompts } from './example-prompts'
import { NoConfiguration } from './no-configuration'
import { Panel } from './panel'
import { PromptBox } from './prompt-box'
import { checkWish, mostRounds, type RunWish, toInput, wishOf } from './run-wish'
import { ShownRun } from './shown-run'
import { StartHere } from './start-here'
import { isPicked, type PickableTool } from './tool-selection'
import { Trouble } from './trouble'
import { type ExplainedTools, useExplainedTools } from './use-explained-tools'
import { useRunWish } from './use-run-wish'
import { useStartRun } from './use-start-run'

type Props = {
  role: Role
  userId: string
  configurations: ConfigurationListing[]
  /** As the server explained them for the configuration it took for the picked one. */
  explained: ExplainedTools
  /** The run the address names. */
  joined: { runId: string; state: RunState } | null
  /** What a run was started with that is to be run again. */
  from: RunEventOf<'run-start'>['data'] | null
  /** The address names a run that this reader cannot see. */
  missing: boolean
}

export function Playground({ role, userId, configurations, explained, ...props }: Props) {
  const { joined, from, missing } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const given = joined?.state.start ?? from
  const [wish, change] = useRunWish(
    given && wishOf(given, explained.tools),
    configurations,
    explained.tools,
    field,
  )
  const { tools, pending, trouble } = useExplainedTools(explained, wish.configurationId)
  const { run, running, submit, onEnd, ...starting } = useRun(joined, tools)
  const [panelOpen, setPanelOpen] = useState(false)
  const chosen = configurations.find((each) => each.id === wish.configurationId) ?? null
  const most = mostRounds(role, chosen)

  const ask = (wanted: RunWish) => {
    const found = submit(wanted, most)
    setPanelOpen(Boolean(found.configuration || found.maxRounds))
    if (found.prompt) field.current?.focus()
  }
  const again = ({ start }: RunState) => {
    if (!start) return
    change(wishOf(start, tools))
    ask(wishOf(start, tools))
  }
  const pickExample = (prompt: string) => {
    change({ prompt })
    field.current?.focus()
  }
  const usable = tools.filter((tool) => isPicked(tool, wish.picked)).map(({ name }) => name)

  return (
    <div className="flex flex-col lg:flex-row">
      <h1 className="sr-only">Playground</h1>
      <Panel
        {...{ role, userId, configurations, chosen, tools, pending, trouble, wish, most }}
        errors={starting.errors}
        open={panelOpen}
        onToggle={() => setPanelOpen(!panelOpen)}
        onChange={change}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 pb-24 md:px-6 md:pb-8">
        <PromptBox
          {...{ field, running }}
          prompt={wish.prompt}
          error={starting.errors.prompt}
          busy={starting.busy}
          onChange={(prompt) => change({ prompt })}
          onRun={() => ask(wish)}
        />
        {starting.errors.general && <Trouble general={starting.errors.general} />}
        {missing && !run && <Missing />}
        {!run &&
          (configurations.length === 0 ? (
            <NoConfiguration role={role} />
          ) : (
            <StartHere examples={examplePrompts(usable)} onPick={pickExample} />
          ))}
        {run && (
          <ShownRun
            key={run.runId}
            runId={run.runId}
            initial={run.state}
            busy={starting.busy}
            onEnd={onEnd}
            onAgain={again}
          />
        )}
      </div>
    </div>
  )
}

/** The run that is shown. `submit` gives what is wrong with a wish, or starts it and gives nothing. */
function useRun(joined: Props['joined'], tools: PickableTool[]) {
  const [run, setRun] = useState(joined)
  const [running, setRunning] = useState(joined !== null && joined.state.end === null)
  const checkFreeze = useFreezeCheck()
  const onEnd = useCallback(() => {
    setRunning(false)
    checkFreeze()
  }, [checkFreeze])
  const { start, setErrors, ...starting } = useStartRun((runId) => {
    setRun({ runId, state: initialRunState })
    setRunning(true)
    window.history.replaceState(null, '', `/playground?run=${runId}`)
  })
  const submit = (wish: RunWish, most: number) => {
    if (running) return {}
    const found = checkWish(wish, most)
    setErrors(found)
    if (Object.keys(found).length === 0) void start(toInput(wish, tools))
    return found
  }
  return { run, running, submit, onEnd, ...starting }
}

function Missing() {
  return (
    <ErrorNotice title="This run cannot be shown">
      It does not exist, or it is somebody else's. Write a prompt to start a new one.
    </ErrorNotice>
  )
}
