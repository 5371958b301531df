import type { ReviewedTool } from '@toolgate/server/toolset/servers/review'
import { WordDiff } from '@/components/nouns/word-diff'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead } from '@/components/ui/table'
import { Textarea } from '@/components/ui/textarea'
import { ToolName } from '@/components/ui/tool-name'
import { DataClass, Effect } from '@/lib/protocol/tool'
import { dataClassWords, effectWords } from '@/lib/protocol/trust-words'
import { countOf, formatDuration } from '@/lib/words/format'
import { type DefinitionChange, mostChanges } from './definition-changes'
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
  changes: DefinitionChange[]
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

type Props = {
  tool: ShownTool
  choice: Choice
  isPicked: boolean
  canPick: boolean
  /** Names of the server's other tools. */
  readers: readonly string[]
  onPick: (isPicked: boolean) => void
  onChoose: (choice: Partial<Choice>) => void
}

/**
 * Shows one tool: what changed in its definition, before and after, what is worth a second look, and the decision about it. On
 * narrow screens the decision comes last.
 */
export function ToolReview(props: Props) {
  const { tool, choice, canPick, onChoose } = props
  const { name, state, changes } = tool
  const { pill, words } = states[state]
  const [first, ...others] = changes.slice(0, mostChanges)
  return (
    <tbody
      id={`tool-${name}`}
      aria-label={name}
      className="scroll-mt-16 border-b last:border-b-0 target:bg-surface-2 max-lg:flex max-lg:flex-col max-lg:py-2 [&>tr]:border-b-0 max-lg:[&>tr]:contents"
    >
      <tr>
        <NameCell {...props} />
        <TableCell>
          <StatePill state={pill}>{words}</StatePill>
          {first && <Path path={first.path} />}
        </TableCell>
        {first ? (
          <Sides change={first} />
        ) : (
          <>
            <TableCell className="max-lg:hidden" />
            <TableCell className="whitespace-pre-wrap [overflow-wrap:anywhere]">
              <VisibleText text={tool.seen.description || 'No description'} />
            </TableCell>
          </>
        )}
        <TableCell rowSpan={others.length + 2} className="max-lg:order-last">
          {canPick && <Choices name={name} choice={choice} onChoose={onChoose} />}
        </TableCell>
      </tr>
      {others.map((change) => (
        <tr key={change.path}>
          <TableCell className="max-lg:hidden" />
          <TableCell>
            <Path path={change.path} />
          </TableCell>
          <Sides change={change} />
        </tr>
      ))}
      <tr>
        <TableCell colSpan={4} className="lg:pt-0">
          <Details {...props} />
        </TableCell>
      </tr>
    </tbody>
  )
}

function NameCell({
  tool: { name, alias, isAliasTaken, state, enabled },
  isPicked,
  canPick,
  onPick,
}: Props) {
  return (
    <TableCell>
      <div className="flex gap-2">
        <Checkbox
          checked={isPicked}
          disabled={!canPick}
          onCheckedChange={onPick}
          aria-label={`Pick ${name}`}
        />
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <strong className="font-mono text-mono">
            <ToolName name={name} />
          </strong>
          {alias !== null && (
            <span className="text-muted">
              {isAliasTaken ? 'alias of another tool:' : 'alias'}{' '}
              <code className="font-mono text-mono">{alias}</code>
            </span>
          )}
          {state !== 'gone' && (
            <StatePill state={enabled ? 'ok' : 'off'}>{enabled ? 'on' : 'off'}</StatePill>
          )}
        </div>
      </div>
    </TableCell>
  )
}

function Path({ path }: { path: string }) {
  return (
    <div className="font-mono text-mono [overflow-wrap:anywhere]">
      <VisibleText text={path} />
    </div>
  )
}

/** Shows a value before and after a change, one cell each. */
function Sides({ change: { parts } }: { change: DefinitionChange }) {
  return (['before', 'after'] as const).map((side) => (
    <TableCell key={side}>
      <span className="text-muted lg:hidden">{side === 'before' ? 'Before' : 'After'}</span>
      <WordDiff parts={parts} side={side} />
    </TableCell>
  ))
}

/** Shows the changes beyond the first ones, so that a review can read each of them. */
function FurtherChanges({ name, changes }: { name: string; changes: readonly DefinitionChange[] }) {
  if (changes.length === 0) return null
  return (
    <Disclosure
      summary={<span className="text-warning">{countOf(changes.length, 'further change')}</span>}
    >
      <Table aria-label={`Further changes of ${name}`} className="max-lg:block">
        <thead className="max-lg:hidden">
          <tr>
            <TableHead className="min-w-44">What changed</TableHead>
            <TableHead className="w-1/3">Before</TableHead>
            <TableHead className="w-1/3">After</TableHead>
          </tr>
        </thead>
        <tbody className="max-lg:flex max-lg:flex-col max-lg:[&>tr]:contents">
          {changes.map((change) => (
            <tr key={change.path}>
              <TableCell>
                <Path path={change.path} />
              </TableCell>
              <Sides change={change} />
            </tr>
          ))}
        </tbody>
      </Table>
    </Disclosure>
  )
}

/** Shows what is worth a second look, and what is seldom set. */
function Details(props: Props) {
  const { tool } = props
  const { name, remoteName, state, seen, changes, hints, problem } = tool
  return (
    <div className="flex flex-col gap-1">
      <FurtherChanges name={name} changes={changes.slice(mostChanges)} />
      {changes.length > 0 && changes.every(({ path }) => path !== 'description') && (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          <VisibleText text={seen.description || 'No description'} />
        </p>
      )}
      <p className="text-muted [overflow-wrap:anywhere]">
        <VisibleText text={remoteName} /> · {countOf(tool.schemaTokens, 'token')} a request
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
      <Folded {...props} />
    </div>
  )
}

/** Shows what is seldom set or read, folded. */
function Folded({ tool, choice, canPick, readers, onChoose }: Props) {
  const { name } = tool
  return (
    <div className="flex flex-wrap gap-x-4">
      {canPick && (
        <Disclosure
          summary={isDescribedAnew(choice) ? 'For models' : 'Name and description for models'}
        >
          <ForModels name={name} choice={choice} onChoose={onChoose} />
        </Disclosure>
      )}
      {canPick && choice.effect !== 'read' && (
        <Disclosure
          summary={
            choice.look ? `Look before and after: ${choice.look.tool}` : 'Look before and after'
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
  )
}

/** Returns " · 12 calls, 2 of them not ok, p95 1.2 s"; empty when there were none. */
function callWords({ calls, failed, p95Ms }: ReviewedTool): string {
  if (calls === 0 || p95Ms === null) return ''
  return ` · ${countOf(calls, 'call')}, ${failed} of them not ok, p95 ${formatDuration(p95Ms)}`
}

type Chosen = { name: string; choice: Choice; onChoose: (choice: Partial<Choice>) => void }

/** Asks what is set of a tool. */
function Choices({ name, choice, onChoose }: Chosen) {
  return (
    <div className="grid gap-2 max-lg:grid-cols-2 lg:w-44">
      <Captioned caption="Effect">
        <Select
          aria-label={`What ${name} does`}
          value={choice.effect}
          options={Effect.options.map((value) => ({ value, label: effectWords[value] }))}
          onValueChange={(value) => onChoose({ effect: Effect.parse(value) })}
        />
      </Captioned>
      <Captioned caption="Data class">
        <Select
          aria-label={`Data class of ${name}`}
          value={choice.dataClass}
          options={dataClassOptions}
          onValueChange={(value) => onChoose({ dataClass: DataClass.parse(value) })}
        />
      </Captioned>
      <Captioned caption="For">
        <Select
          aria-label={`Who may use ${name}`}
          value={choice.requiresAdmin ? 'admins' : 'all'}
          options={audiences}
          onValueChange={(value) => onChoose({ requiresAdmin: value === 'admins' })}
        />
      </Captioned>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the control */}
      <label className="flex min-h-8 items-center gap-2 self-end">
        <Checkbox
          aria-label={`Switch on ${name}`}
          checked={choice.enabled}
          onCheckedChange={(enabled) => onChoose({ enabled })}
        />
        Switch on
      </label>
    </div>
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
