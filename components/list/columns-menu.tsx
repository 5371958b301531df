'use client'
import { Columns3 } from 'lucide-react'
import { useId, useOptimistic, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'

/** A column that people may show or hide. `fixed`: it is always there. */
type ColumnOption = { key: string; label: string; fixed?: boolean }

type Props = {
  /** In the order of the list. */
  options: readonly ColumnOption[]
  chosen: readonly string[]
  /** The person chose these columns, so there is something to reset. */
  isOwnChoice: boolean
  /** Keeps a choice, null = the default one, and shows the list with it. */
  onChoose: (columns: string[] | null) => Promise<void>
}

/**
 * Shows the menu in which people choose the columns of a list. Each press counts at once; `onChoose` keeps it where the
 * server reads it, so that the next page comes with these columns.
 */
export function ColumnsMenu({ options, chosen, isOwnChoice, onChoose }: Props) {
  const [shown, show] = useOptimistic(chosen)
  const [pending, startTransition] = useTransition()
  const choose = (columns: string[] | null) =>
    startTransition(async () => {
      if (columns) show(columns)
      await onChoose(columns)
    })
  const turn = (key: string, on: boolean) =>
    choose(
      options.flatMap((each) => {
        const isShown = each.key === key ? on : shown.includes(each.key)
        return isShown || each.fixed ? [each.key] : []
      }),
    )
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button>
          <Columns3 className="size-4" aria-hidden />
          Columns
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label="Columns"
        align="end"
        className="flex max-h-(--radix-popover-content-available-height) w-60 flex-col gap-1 overflow-y-auto p-2"
      >
        <ul className="flex flex-col">
          {options.map((option) => (
            <Line
              key={option.key}
              option={option}
              isShown={option.fixed || shown.includes(option.key)}
              onTurn={(on) => turn(option.key, on)}
            />
          ))}
        </ul>
        <div className="-mx-2 border-t px-2 pt-2">
          <Button
            variant="ghost"
            size="sm"
            disabled={!isOwnChoice && !pending}
            onClick={() => choose(null)}
          >
            Reset
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  )
}

function Line({
  option: { label, fixed = false },
  isShown,
  onTurn,
}: {
  option: ColumnOption
  isShown: boolean
  onTurn: (on: boolean) => void
}) {
  const id = useId()
  return (
    <li>
      <label
        htmlFor={id}
        className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 hover:bg-surface-2 has-disabled:cursor-not-allowed pointer-coarse:min-h-10"
      >
        <Checkbox id={id} checked={isShown} disabled={fixed} onCheckedChange={onTurn} />
        {label}
      </label>
    </li>
  )
}
