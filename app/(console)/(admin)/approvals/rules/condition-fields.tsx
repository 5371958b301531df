'use client'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useFormAround } from '@/components/forms/form'
import { Button } from '@/components/ui/button'
import { ConditionRow } from './condition-row'
import { type DraftCondition, withNewCondition } from './rule-draft'
import type { RuleFieldsProps } from './scope-fields'

/** Shows the conditions on a call's arguments. All of them must match. */
export function ConditionFields({ draft, choices }: RuleFieldsProps) {
  const { change } = useFormAround()
  const part = useRef<HTMLFieldSetElement>(null)
  const paths = pathsOf(choices.tools, draft.toolName)
  const inputs = () => [...(part.current?.querySelectorAll<HTMLElement>('input[data-path]') ?? [])]
  const add = () => {
    flushSync(() => change(withNewCondition(draft)))
    inputs().at(-1)?.focus()
  }
  const remove = (gone: DraftCondition) => {
    const index = draft.conditions.indexOf(gone)
    flushSync(() => change({ conditions: draft.conditions.filter((each) => each !== gone) }))
    const next = inputs()[Math.min(index, inputs().length - 1)]
    const button = part.current?.querySelector<HTMLElement>('button[data-add]')
    if (next) next.focus()
    else button?.focus()
  }
  return (
    <fieldset ref={part} className="flex min-w-0 flex-col gap-3">
      <legend className="pb-1 font-medium text-strong">Conditions on the arguments</legend>
      <p className="text-muted text-sm">
        All must match; without any, all calls match. Paths look like{' '}
        <code className="font-mono">$.items[*].name</code>.
      </p>
      {draft.conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          place={index + 1}
          condition={condition}
          paths={paths}
          onRemove={() => remove(condition)}
        />
      ))}
      <Button
        size="sm"
        data-add
        className="w-fit"
        onClick={add}
        disabled={draft.conditions.length >= 10}
      >
        <Plus className="size-4" aria-hidden />
        Add condition
      </Button>
    </fieldset>
  )
}

/** Returns the argument names of the chosen tool; empty when no tool is chosen. */
function pathsOf(tools: RuleFieldsProps['choices']['tools'], toolName: string | null): string[] {
  return tools.find(({ name }) => name === toolName)?.paths ?? []
}
