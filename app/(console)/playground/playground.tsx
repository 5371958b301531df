'use client'
import { RotateCcw, Settings2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { LiveRun } from '@/components/trace/live-run'
import { RunActions } from '@/components/trace/run-actions'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ConfigurationListing } from '@/lib/configurations/schemas'
import { initialRunState, type RunState } from '@/lib/protocol/fold-run'
import type { RunEventOf } from '@/lib/protocol/run-event'
import type { Role } from '@/lib/protocol/tool'
import { askToStop } from '../runs/ask-to-stop'
import { ConfigurationPicker } from './configuration-picker'
import { examplePrompts } from './example-prompts'
import { PromptBox } from './prompt-box'
import { RoundLimit } from './round-limit'
import { checkWish, mostRounds, type RunWish, toInput, wishOf } from './run-wish'
import { StartHere } from './start-here'
import { ToolPicker } from './tool-picker'
import { isPicked, type PickableTool, selectionTax } from './tool-selection'
import { Trouble } from './trouble'
import { useRunWish } from './use-run-wish'
import { useStartRun } from './use-start-run'

type ShownRun = { runId: string; state: RunState }

type Props = {
  role: Role
  configurations: ConfigurationListing[]
  tools: PickableTool[]
  /** The run the address names. */
  joined: ShownRun | null
  /** What a run was started with that is to be run again. */
  from: RunEventOf<'run-start'>['data'] | null
  /** The address names a run that this reader cannot see. */
  missing: boolean
}

export function Playground({ role, configurations, tools, joined, from, missing }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const given = joined?.state.start ?? from
  const [wish, change] = useRunWish(given && wishOf(given, tools), configurations, tools, field)
  const [run, setRun] = useState(joined)
  const [running, setRunning] = useState(joined !== null && joined.state.end === null)
  const [panelOpen, setPanelOpen] = useState(false)
  const onEnd = useCallback(() => setRunning(false), [])
  const { start, busy, errors, setErrors } = useStartRun((runId) => {
    setRun({ runId, state: initialRunState })
    setRunning(true)
    setPanelOpen(false)
    window.history.replaceState(null, '', `/playground?run=${runId}`)
  })
  const chosen = configurations.find((each) => each.id === wish.configurationId) ?? null
  const most = mostRounds(role, chosen)

  const submit = (wanted: RunWish) => {
    if (running) return
    const found = checkWish(wanted, most)
    setErrors(found)
    if (found.prompt) field.current?.focus()
    if (found.configuration || found.maxRounds) setPanelOpen(true)
    if (Object.keys(found).length === 0) void start(toInput(wanted, tools))
  }
  const again = (state: RunState) => {
    if (!state.start) return
    const wanted = wishOf(state.start, tools)
    change(wanted)
    submit(wanted)
  }

  return (
    <div className="flex flex-col lg:flex-row">
      <h1 className="sr-only">Playground</h1>
      <PanelSwitch
        open={panelOpen}
        onToggle={() => setPanelOpen(!panelOpen)}
        summary={`${chosen?.name ?? 'No configuration'}, ${selectionTax(tools, wish.picked).picked} tools`}
      />
      <div
        id="playground-panel"
        className={cn(
          'flex-col gap-6 border-b bg-surface-1 p-4 lg:sticky lg:top-12 lg:flex lg:h-[calc(100dvh-3rem)] lg:w-80 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-b-0',
          panelOpen ? 'flex' : 'hidden',
        )}
      >
        <ConfigurationPicker
          configurations={configurations}
          chosen={chosen}
          error={errors.configuration}
          onChoose={(configurationId) => change({ configurationId })}
        />
        <ToolPicker
          tools={tools}
          picked={wish.picked}
          role={role}
          onPick={(picked) => change({ picked })}
        />
        <RoundLimit
          value={wish.maxRounds}
          standard={chosen?.maxRounds ?? null}
          most={most}
          error={errors.maxRounds}
          onChange={(maxRounds) => change({ maxRounds })}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 pb-24 md:px-6 md:pb-8">
        <PromptBox
          field={field}
          prompt={wish.prompt}
          error={errors.prompt}
          busy={busy}
          running={running}
          onChange={(prompt) => change({ prompt })}
          onRun={() => submit(wish)}
        />
        {errors.general && <Trouble general={errors.general} />}
        {missing && !run && (
          <ErrorNotice title="This run cannot be shown">
            It does not exist, or it is somebody else's. Write a prompt to start a new one.
          </ErrorNotice>
        )}
        {!run && (
          <StartHere
            examples={examplePrompts(
              tools.filter((tool) => isPicked(tool, wish.picked)).map(({ name }) => name),
            )}
            onPick={(prompt) => {
              change({ prompt })
              field.current?.focus()
            }}
          />
        )}
        {run && (
          <LiveRun
            key={run.runId}
            runId={run.runId}
            initial={run.state}
            stop={() => askToStop(run.runId)}
            onEnd={onEnd}
          >
            {(state) => (
              <RunActions runId={run.runId} open>
                <Button size="sm" disabled={busy} onClick={() => again(state)}>
                  <RotateCcw className="size-4" aria-hidden />
                  Run again
                </Button>
              </RunActions>
            )}
          </LiveRun>
        )}
      </div>
    </div>
  )
}

/** On narrow screens the panel is folded to one line. */
function PanelSwitch({
  open,
  onToggle,
  summary,
}: {
  open: boolean
  onToggle: () => void
  summary: string
}) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls="playground-panel"
      onClick={onToggle}
      className="flex min-h-11 items-center gap-2 border-b bg-surface-1 px-4 text-left lg:hidden"
    >
      <Settings2 className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate text-strong">{summary}</span>
      <span className="text-link text-sm">{open ? 'Close' : 'Change'}</span>
    </button>
  )
}
