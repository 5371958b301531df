import type { ReviewedTool } from '@toolgate/server/toolset/servers/review'
import { DiffView } from '@/components/nouns/diff-view'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import { TableCell } from '@/components/ui/table'
import { Textarea } from '@/components/ui/textarea'
import { DataClass, Effect } from '@/lib/protocol/tool'
import { dataClassWords, effectWords } from '@/lib/protocol/trust-words'
import type { DiffPart } from '@/lib/words/diff-lines'
import { countOf, formatDuration } from '@/lib/words/format'
import { LookFields } from './look-fields'
import { Captioned, type Choice } from './tool-choice'
import { type ToolConcerns, ToolConcernsLine } from './tool-concerns'

/**
 * A tool at review with its definition as text, what changed in it since it was accepted, and what it concerns.
 * `isAliasTaken`: a tool was installed under its alias, so models are told its name.
 */
export type ShownTool = ReviewedTool & {
  isAliasTaken: boolean
  definition: string
  diff: DiffPart[] | null
  concerns: ToolConcerns
}

const states: Record<ReviewedTool['state'], { pill: PillState; words: string }> = {
  new: { pill: 'waiting', words: 'new' },
  changed: { pill: 'warning', words: 'changed' },
  accepted: { pill: 'ok', words: 'accepted' },
  gone: { pill: 'off', words: 'gone' },
}

export const audiences = [
  { value: 'admins', label: 'Admins' },
  { value: 'all', label: 'Members, too' },
]

export const dataClassOptions = DataClass.options.map((value) => ({
  value,
  label: dataClassWords[value],
}))

/** Shows one tool: its definition, what is worth a second look, and what a person says about it. */
export function ToolReview({
  tool,
  choice,
  isPicked,
  canPick,
  readers,
  onPick,
  onChoose,
}: {
  tool: ShownTool
  choice: Choice
  isPicked: boolean
  canPick: boolean
  /** Names of the server's other tools. */
  readers: readonly string[]
  onPick: (isPicked: boolean) => void
  onChoose: (choice: Partial<Choice>) => void
}) {
  const { name, remoteName, seen, state, hints, problem, diff } = tool
  const { pill, words } = states[state]
  return (
    <tbody
      id={`tool-${name}`}
      aria-label={name}
      className="scroll-mt-16 border-b last:border-b-0 target:bg-surface-2 max-lg:block max-lg:py-2"
    >
      <tr className="max-lg:flex max-lg:flex-wrap max-lg:items-center">
        <TableCell>
          <Checkbox
            checked={isPicked}
            disabled={!canPick}
            onCheckedChange={onPick}
            aria-label={`Pick ${name}`}
          />
        </TableCell>
        <TableCell className="max-lg:w-[calc(100%-3rem)]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <strong className="font-mono text-mono [overflow-wrap:anywhere]">{name}</strong>
            {tool.alias !== null && (
              <span className="text-muted">
                {tool.isAliasTaken ? 'alias of another tool:' : 'alias'}{' '}
                <code className="font-mono text-mono">{tool.alias}</code>
              </span>
            )}
            <StatePill state={pill}>{words}</StatePill>
            {state !== 'gone' && (
              <StatePill state={tool.enabled ? 'ok' : 'off'}>
                {tool.enabled ? 'on' : 'off'}
              </StatePill>
            )}
          </div>
        </TableCell>
        {canPick ? (
          <Choices name={name} choice={choice} onChoose={onChoose} />
        ) : (
          <TableCell colSpan={4} />
        )}
      </tr>
      <tr className="max-lg:block">
        <TableCell className="max-lg:hidden" />
        <TableCell colSpan={5} className="max-lg:block lg:pt-0">
          <div className="flex flex-col gap-1">
            <p className="max-w-[90ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
              <VisibleText text={seen.description || 'No description'} />
            </p>
            <p className="text-muted">
              <VisibleText text={remoteName} /> · about {countOf(tool.schemaTokens, 'token')} in
              each request
              {callWords(tool)}
            </p>
            {problem !== null && (
              <p className="text-error [overflow-wrap:anywhere]">
                Cannot be called: <VisibleText text={problem} />
              </p>
            )}
            {hints.length > 0 && (
              <ul className="list-disc pl-5 text-warning">
                {hints.map((hint) => (
                  <li key={hint}>{hint}</li>
                ))}
              </ul>
            )}
            {(state === 'new' || state === 'changed') && (
              <ToolConcernsLine name={name} calls={tool.calls} concerns={tool.concerns} />
            )}
            {diff && <DiffView parts={diff} label={`What changed in ${name}`} />}
            <div className="flex flex-wrap gap-x-4">
              {canPick && (
                <Disclosure
                  summary={
                    isDescribedAnew(choice) ? 'For models' : 'Name and description for models'
                  }
                >
                  <ForModels name={name} choice={choice} onChoose={onChoose} />
                </Disclosure>
              )}
              {canPick && choice.effect !== 'read' && (
                <Disclosure
                  summary={
                    choice.look
                      ? `Look before and after: ${choice.look.tool}`
                      : 'Look before and after'
                  }
                >
                  <LookFields
                    name={name}
                    choice={choice}
                    readers={readers}
                    onChoose={onChoose}
                    proposed={tool.proposedLook}
                  />
                </Disclosure>
              )}
              <Disclosure summary="Definition">
                <pre className="max-h-80 overflow-auto font-mono text-mono">
                  <VisibleText text={tool.definition} />
                </pre>
              </Disclosure>
            </div>
          </div>
        </TableCell>
      </tr>
    </tbody>
  )
}

/** Returns " · 12 calls, 2 of them not ok, p95 1.2 s"; empty when there were none. */
function callWords({ calls, failed, p95Ms }: ReviewedTool): string {
  if (calls === 0 || p95Ms === null) return ''
  return ` · ${countOf(calls, 'call')}, ${failed} of them not ok, p95 ${formatDuration(p95Ms)}`
}

type Chosen = { name: string; choice: Choice; onChoose: (choice: Partial<Choice>) => void }

/** Asks what is set of a tool, one cell each. */
function Choices({ name, choice, onChoose }: Chosen) {
  return (
    <>
      <TableCell>
        <Select
          aria-label={`What ${name} does`}
          className="w-44"
          value={choice.effect}
          options={Effect.options.map((value) => ({ value, label: effectWords[value] }))}
          onValueChange={(value) => onChoose({ effect: Effect.parse(value) })}
        />
      </TableCell>
      <TableCell>
        <Select
          aria-label={`Data class of ${name}`}
          className="w-44"
          value={choice.dataClass}
          options={dataClassOptions}
          onValueChange={(value) => onChoose({ dataClass: DataClass.parse(value) })}
        />
      </TableCell>
      <TableCell>
        <Select
          aria-label={`Who may use ${name}`}
          className="w-36"
          value={choice.requiresAdmin ? 'admins' : 'all'}
          options={audiences}
          onValueChange={(value) => onChoose({ requiresAdmin: value === 'admins' })}
        />
      </TableCell>
      <TableCell>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the control */}
        <label className="flex min-h-8 items-center gap-2">
          <Checkbox
            aria-label={`Switch on ${name}`}
            checked={choice.enabled}
            onCheckedChange={(enabled) => onChoose({ enabled })}
          />
          <span className="lg:sr-only">Switch on</span>
        </label>
      </TableCell>
    </>
  )
}

function isDescribedAnew({ alias, description }: Choice): boolean {
  return alias !== null || description !== null
}

/** Asks what models call a tool, and are told about it. */
function ForModels({ name, choice, onChoose }: Chosen) {
  return (
    <div className="flex max-w-[90ch] flex-col gap-2">
      <Captioned caption="Alias, only for models">
        <Input
          aria-label={`Alias of ${name}`}
          className="max-w-96 font-mono text-mono"
          maxLength={48}
          placeholder={name}
          value={choice.alias ?? ''}
          onChange={({ target }) => onChoose({ alias: target.value.trim() || null })}
        />
      </Captioned>
      <Captioned caption="Description">
        <Textarea
          aria-label={`What models are told about ${name}`}
          rows={4}
          maxLength={4_000}
          placeholder="Leave empty for its own"
          value={choice.description ?? ''}
          onChange={({ target }) => onChoose({ description: target.value || null })}
        />
      </Captioned>
    </div>
  )
}
