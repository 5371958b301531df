'use client'
import { Plus, Scale } from 'lucide-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useFormAround } from '@/components/forms/form'
import { useFieldState } from '@/components/forms/form-field'
import { useFocusAfter } from '@/components/forms/use-focus-after'
import { Button } from '@/components/ui/button'
import { mostAssertions, mostJudges } from '@/lib/protocol/check/assertion-limits'
import { type AssertionDraft, newAssertion } from './assertion-draft'
import type { JudgeChoice } from './assertion-field-control'
import { AssertionRow } from './assertion-row'

type Props = { tools: readonly string[]; judges: readonly JudgeChoice[] }

/**
 * Shows the assertions of a check as rows that open: the field `assertions` of the surrounding form. `tools` are offered by name,
 * `judges` are the configurations that may judge.
 */
export function AssertionsField({ tools, judges }: Props) {
  const { id } = useFormAround()
  const { error, onChange } = useFieldState<AssertionDraft[]>('assertions')
  // The state of the field does not follow what is typed in its rows.
  const drafts = useWatch<{ assertions: AssertionDraft[] }, 'assertions'>({ name: 'assertions' })
  const focusAfter = useFocusAfter()
  const [added, setAdded] = useState<number | null>(null)
  const add = (type?: 'judge') => {
    const draft = newAssertion(drafts, type)
    onChange([...drafts, draft])
    setAdded(draft.key)
    focusAfter(`${id}-assertions.${drafts.length}.${type ? 'configuration' : 'type'}`)
  }
  const isFull = drafts.length >= mostAssertions
  const hasAllJudges = drafts.filter(({ type }) => type === 'judge').length >= mostJudges
  const remove = (place: number) => {
    onChange(drafts.toSpliced(place, 1))
    focusAfter(drafts.length === 1 ? `${id}-assertions-add` : `${id}-assertions-list`)
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {drafts.length === 0 && (
        <p className="text-muted text-sm">No assertions yet. A check needs at least one.</p>
      )}
      <ol
        id={`${id}-assertions-list`}
        tabIndex={-1}
        aria-label="Assertions"
        className="flex flex-col gap-2 focus:outline-none empty:hidden"
      >
        {drafts.map((draft, place) => (
          <AssertionRow
            key={draft.key}
            place={place}
            draft={draft}
            tools={tools}
            judges={judges}
            isNew={draft.key === added}
            onRemove={() => remove(place)}
          />
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button
          id={`${id}-assertions-add`}
          size="sm"
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-assertions-error`}
          disabled={isFull}
          onClick={() => add()}
        >
          <Plus className="size-4" aria-hidden />
          Add assertion
        </Button>
        <Button size="sm" disabled={isFull || hasAllJudges} onClick={() => add('judge')}>
          <Scale className="size-4" aria-hidden />
          Add a judge
        </Button>
      </div>
      {isFull && (
        <p className="text-muted text-sm">A check has at most {mostAssertions} assertions.</p>
      )}
      {hasAllJudges && (
        <p className="text-muted text-sm">A check has at most {mostJudges} judges.</p>
      )}
      {error && (
        <p id={`${id}-assertions-error`} className="text-error text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
