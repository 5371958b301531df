'use client'
import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import { Disclosure } from '@/components/trace/disclosure'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { panelCapBound } from '@/lib/protocol/cost/cost-cap-words'
import { shippedInstructions } from '@/lib/protocol/panel/coordination'
import { hopBudgets } from '@/lib/protocol/panel/panel'
import { panelRoles, roleWords } from '@/lib/protocol/panel/role-words'
import type { Role } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { AnswerSchemaField, CostCapField } from '../panel'
import { ToolPicker } from '../tool-picker'
import type { PickableTool } from '../tool-selection'
import type { CompareDraft, CompareErrors, RoleInstructions } from './compare-draft'
import { Members } from './members'

type Props = {
  role: Role
  userId: string
  configurations: ConfigurationListing[]
  /** With the verdicts for the first configuration. */
  tools: PickableTool[]
  pending: boolean
  problem: string | null
  draft: CompareDraft
  errors: CompareErrors
  onChange: (part: Partial<CompareDraft>) => void
  /** Goes back to one configuration. */
  onLeave: () => void
}

/** Shows the settings of a panel: its configurations, and what all of its members get. */
export function CompareFields({ draft, errors, onChange, ...rest }: Props) {
  const { mode, ids, told, tools, hops, all, each, outputSchema } = draft
  return (
    <>
      <Members
        configurations={rest.configurations}
        mode={mode}
        ids={ids}
        errors={errors}
        onMode={(next) =>
          onChange({ mode: next, ids: next === 'compare' ? [...new Set(ids)] : ids })
        }
        onChange={(next) => onChange({ ids: next })}
        onLeave={rest.onLeave}
      />
      {mode === 'coordinate' && (
        <InstructionFields
          told={told}
          onChange={(part) => onChange({ told: { ...told, ...part } })}
        />
      )}
      <div className="flex flex-col gap-2">
        <Disclosure
          summary={tools.length === 0 ? 'Tools: none' : `Tools: ${countOf(tools.length, 'tool')}`}
          isOpen={errors.tools !== undefined}
        >
          <p className="pb-2 text-muted">
            {mode === 'compare' ? 'Each member gets' : 'Proposer and critics get'} what its gates
            allow.
          </p>
          <ToolPicker
            tools={rest.tools}
            pending={rest.pending}
            problem={rest.problem}
            picked={tools}
            role={rest.role}
            about={{ configurationId: ids[0] ?? null, userId: rest.userId, taskId: null }}
            onPick={(picked) => onChange({ tools: picked })}
          />
        </Disclosure>
        {errors.tools && <p className="text-error text-sm">{errors.tools}</p>}
        {tools.length > 0 && (
          <Field
            id="hop-budget"
            label="Hop budget"
            hint={`Rounds with tools, 1-${hopBudgets.most}. Leave empty for ${hopBudgets.usual}.`}
            error={errors.hops}
          >
            {(control) => (
              <Input
                {...control}
                type="number"
                inputMode="numeric"
                min={1}
                max={hopBudgets.most}
                className="w-24"
                placeholder={String(hopBudgets.usual)}
                value={hops}
                onChange={(event) => onChange({ hops: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <CostCapField
        id="panel-cost-cap"
        label="Cost cap of all members (USD)"
        hint={`${panelCapBound} Leave empty for none.`}
        value={all}
        error={errors.all}
        onChange={(part) => onChange({ all: { ...all, ...part } })}
      />
      <CostCapField
        id="member-cost-cap"
        label="Cost cap of each member (USD)"
        hint="On top of the configurations’ caps. Leave empty for none."
        value={each}
        error={errors.each}
        onChange={(part) => onChange({ each: { ...each, ...part } })}
      />
      {mode === 'compare' && (
        <AnswerSchemaField
          id="panel-output-schema"
          hint="Replaces the configurations’ schemas."
          text={outputSchema}
          error={errors.outputSchema}
          onType={(text) => onChange({ outputSchema: text })}
        />
      )}
    </>
  )
}

/** Shows what each role is told, which can be replaced. */
function InstructionFields({
  told,
  onChange,
}: {
  told: RoleInstructions
  onChange: (part: Partial<RoleInstructions>) => void
}) {
  const changed = panelRoles.filter((role) => told[role].trim() !== '').length
  return (
    <Disclosure
      summary={changed === 0 ? 'What roles are told' : `What roles are told: ${changed} changed`}
    >
      <div className="flex flex-col gap-3">
        {panelRoles.map((role) => (
          <Field
            key={role}
            id={`told-${role}`}
            label={roleWords[role]}
            hint="Added to the system prompt. Leave empty for the default."
          >
            {(control) => (
              <Textarea
                {...control}
                rows={4}
                placeholder={shippedInstructions[role]}
                value={told[role]}
                onChange={(event) => onChange({ [role]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </Disclosure>
  )
}
