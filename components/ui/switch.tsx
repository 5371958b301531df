import type { ComponentProps } from 'react'
import { onOrOff } from '@/lib/words/format'
import { cn } from './cn'

/** Shows a switch with its state in words: the one shape of everything that is on or off. */
export function OnOffSwitch(props: ComponentProps<typeof Switch>) {
  return (
    <span className="inline-flex items-center gap-2">
      <Switch {...props} />
      <span className="w-6 text-normal text-sm" aria-hidden>
        {onOrOff(props.checked)}
      </span>
    </span>
  )
}

/**
 * Shows a switch that acts at once. Give it a name with `aria-label` or a label, and say the state in words beside it.
 * While `busy`, it ignores presses and keeps the focus, which `disabled` would lose.
 */
export function Switch({
  checked,
  onCheckedChange,
  busy = false,
  className,
  ...props
}: Omit<ComponentProps<'button'>, 'role' | 'type' | 'onClick'> & {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  busy?: boolean
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-disabled={busy || undefined}
      onClick={() => {
        if (!busy) onCheckedChange(!checked)
      }}
      className={cn('switch-track', className)}
      {...props}
    />
  )
}
