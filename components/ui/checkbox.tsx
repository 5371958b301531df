import { Check, Minus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn'

/**
 * Shows a checkbox. `checked` is true, false or 'indeterminate' (some of a group), from which a click picks all. While
 * `busy`, it ignores presses and keeps the focus, which `disabled` would lose.
 */
export function Checkbox({
  checked,
  onCheckedChange,
  busy = false,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange' | 'ref'> & {
  checked: boolean | 'indeterminate'
  onCheckedChange: (checked: boolean) => void
  busy?: boolean
}) {
  const mixed = checked === 'indeterminate'
  return (
    <span className={cn('relative inline-flex size-4 shrink-0 pointer-coarse:size-5', className)}>
      <input
        type="checkbox"
        checked={checked === true}
        aria-disabled={busy || undefined}
        onChange={(event) => {
          if (!busy) onCheckedChange(event.target.checked)
        }}
        ref={(input) => {
          // HTML has no attribute for the mixed state.
          if (input) input.indeterminate = mixed
        }}
        className={cn(
          'size-full appearance-none rounded-sm border transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
          checked ? 'border-accent bg-accent' : 'border-line-strong bg-surface-1',
        )}
        {...props}
      />
      <span className="pointer-events-none absolute inset-0 grid place-items-center text-on-accent [&_svg]:size-3">
        {checked === true && <Check strokeWidth={3} aria-hidden />}
        {mixed && <Minus strokeWidth={3} aria-hidden />}
      </span>
    </span>
  )
}

/** Returns what the checkbox of a group shows, from the number of its members that are picked. */
export function triState(picked: number, all: number): boolean | 'indeterminate' {
  if (picked === 0) return false
  return picked === all ? true : 'indeterminate'
}
