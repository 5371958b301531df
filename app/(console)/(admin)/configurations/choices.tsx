import { useId } from 'react'
import { Checkbox } from '@/components/ui/checkbox'

export type ChoiceOption = {
  id: string
  name: string
  about: string
  /** True = nothing has this name here. */
  isGone?: boolean
}

/** Shows a checkbox for each option, each with muted words about it. */
export function Choices({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string
  options: readonly ChoiceOption[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const id = useId()
  return (
    <fieldset aria-label={label} className="grid min-w-0 max-w-3xl gap-x-6 sm:grid-cols-2">
      {options.map((option) => (
        <span
          key={option.id}
          className="flex min-h-8 min-w-0 items-center gap-2 pointer-coarse:min-h-11"
        >
          <Checkbox
            id={`${id}-${option.id}`}
            checked={chosen.includes(option.id)}
            onCheckedChange={(on) =>
              onChange([...chosen.filter((each) => each !== option.id), ...(on ? [option.id] : [])])
            }
          />
          <label htmlFor={`${id}-${option.id}`} className="min-w-0 [overflow-wrap:anywhere]">
            <span className="text-strong">{option.name}</span>{' '}
            <span className={`text-sm ${option.isGone ? 'text-warning' : 'text-muted'}`}>
              {option.about}
            </span>
          </label>
        </span>
      ))}
    </fieldset>
  )
}
