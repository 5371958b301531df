'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useFormAround } from '@/components/forms/form'
import { useFieldState } from '@/components/forms/form-field'
import { useFocusAfter } from '@/components/forms/use-focus-after'
import { Button } from '@/components/ui/button'
import { mostAssertions } from '@/lib/protocol/check/assertion-limits'
import { type AssertionDraft, newAssertion } from './assertion-draft'
import { AssertionRow } from './assertion-row'

/** Shows the assertions of a check as rows that open: the field `assertions` of the surrounding form. `tools` are offered by name. */
export function AssertionsField({ tools }: { tools: readonly string[] }) {
  const { id } = useFormAround()
  const { error, onChange } = useFieldState<AssertionDraft[]>('assertions')
  // The state of the field does not follow what is typed in its rows.
  const drafts = useWatch<{ assertions: AssertionDraft[] }, 'assertions'>({ name: 'assertions' })
  const focusAfter = useFocusAfter()
  const [added, setAdded] = useState<number | null>(null)
  const add = () => {
    const draft = newAssertion(drafts)
    onChange([...drafts, draft])
    setAdded(draft.key)
    focusAfter(`${id}-assertions.${drafts.length}.type`)
  }
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
            isNew={draft.key === added}
            onRemove={() => remove(place)}
          />
        ))}
      </ol>
      <Button
        id={`${id}-assertions-add`}
        size="sm"
        className="w-fit"
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${id}-assertions-error`}
        disabled={drafts.length >= mostAssertions}
        onClick={add}
      >
        <Plus className="size-4" aria-hidden />
        Add assertion
      </Button>
      {drafts.length >= mostAssertions && (
        <p className="text-muted text-sm">A check has at most {mostAssertions} assertions.</p>
      )}
      {error && (
        <p id={`${id}-assertions-error`} className="text-error text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
