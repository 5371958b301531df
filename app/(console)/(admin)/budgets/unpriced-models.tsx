'use client'
import type { ModelListing } from '@toolgate/server/domains/models/schemas'
import { useState } from 'react'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { type Budget, budgets } from '@/lib/domains/budgets/shape'
import { unpriced } from '@/lib/protocol/cost/cost'
import { countOf, parseUsd } from '@/lib/words/format'
import { addPrice } from './actions'

/** A model without a price that configurations use. */
export type UnpricedModel = Pick<ModelListing, 'id' | 'displayName' | 'connectionName' | 'usedBy'>

type Scope = Pick<Budget, 'scope' | 'scopeId'>

/** Returns the models that requests of a budget may ask. */
export function modelsOf(
  models: readonly UnpricedModel[],
  { scope, scopeId }: Scope,
): UnpricedModel[] {
  return models.filter(
    ({ usedBy }) => scope !== 'configuration' || usedBy.some(({ id }) => id === scopeId),
  )
}

/** Returns the field for models without a price. Its choices say what they do to the configurations of these models. */
export function unpricedField(models: readonly UnpricedModel[], { scope, scopeId }: Scope) {
  const field = budgets.fields.unpriced
  const uses = models.flatMap(({ usedBy }) => usedBy.filter(({ position }) => position === null))
  const ids = new Set(uses.map(({ id }) => id))
  const count = scope === 'configuration' ? Number(ids.has(scopeId ?? '')) : ids.size
  if (count === 0) return field
  const whose = scope === 'site' || scope === 'configuration' ? '' : ' for them'
  const refuse = `Refuse: ${countOf(count, 'configuration stops', 'configurations stop')}${whose}`
  const allow = `Allow: this budget does not limit ${count === 1 ? 'it' : 'them'}`
  const words = { refuse, 'count-tokens': allow }
  return {
    ...field,
    hint: undefined,
    placeholder: 'Pick one, or add the price',
    choices: field.choices.map(({ value }) => ({ value, label: words[value] })),
  }
}

/** Lists the models without a price, each with fields for it. */
export function UnpricedModels({ models }: { models: readonly UnpricedModel[] }) {
  if (models.length === 0) return null
  return (
    <section aria-label="Models without a price" className="flex flex-col gap-2">
      <h3 className="font-medium text-strong">Models without a price</h3>
      <p className="text-muted text-sm">Dollars per million tokens; 0 if free.</p>
      <ul className="divide-y rounded-md border">
        {models.map((model) => (
          <Model key={model.id} model={model} />
        ))}
      </ul>
    </section>
  )
}

function Model({ model: { id, displayName, connectionName } }: { model: UnpricedModel }) {
  const [input, setInput] = useState('')
  const [output, setOutput] = useState('')
  const { busy, act } = useAct()
  const prices = { ...unpriced, input: parseUsd(input), output: parseUsd(output) }
  const isGiven = prices.input !== null && prices.output !== null
  const save = () =>
    act(() => addPrice({ id, prices }), {
      failed: 'Not added',
      done: `Added the price of ${displayName}`,
    })
  const fields = [
    { label: 'Input', value: input, onChange: setInput },
    { label: 'Output', value: output, onChange: setOutput },
  ]
  return (
    <li className="flex flex-wrap items-end gap-2 p-2">
      <span className="min-w-32 flex-1 self-center max-sm:basis-full [overflow-wrap:anywhere]">
        <VisibleText text={displayName} />{' '}
        <span className="text-muted text-sm">
          <VisibleText text={connectionName} />
        </span>
      </span>
      {fields.map(({ label, value, onChange }) => (
        <span key={label} className="flex flex-col text-sm">
          <span aria-hidden>{label}</span>
          <Input
            className="w-24"
            inputMode="decimal"
            aria-label={`${label} price of ${displayName}`}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // It would send the form around it.
              event.preventDefault()
              if (isGiven) void save()
            }}
          />
        </span>
      ))}
      <Button disabled={!isGiven} loading={busy} onClick={save}>
        Add price
      </Button>
    </li>
  )
}
