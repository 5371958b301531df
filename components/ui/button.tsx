import { cva, type VariantProps } from 'class-variance-authority'
import { LoaderCircle } from 'lucide-react'
import { Slot } from 'radix-ui'
import type { ComponentProps, MouseEvent } from 'react'
import { cn } from './cn'

const buttonStyles = cva('button-frame', {
  variants: {
    variant: {
      primary:
        'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover',
      secondary:
        'border-line-strong/60 bg-surface-1 text-strong enabled:hover:bg-surface-2 [a&]:hover:bg-surface-2',
      ghost:
        'border-transparent bg-transparent text-normal enabled:hover:bg-surface-2 [a&]:hover:bg-surface-2',
      danger:
        'border-transparent bg-danger text-on-accent enabled:hover:bg-danger-hover [a&]:hover:bg-danger-hover',
    },
    size: {
      sm: 'h-7 px-2 text-sm pointer-coarse:h-9',
      md: 'h-8 px-3 text-base pointer-coarse:h-10',
    },
  },
  defaultVariants: { variant: 'secondary', size: 'md' },
})

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonStyles> & {
    /** Renders the only child (a link) with the looks of a button. */
    asChild?: boolean
    /** Shows a spinner and refuses clicks while the action is under way; keeps the focus, which `disabled` loses. */
    loading?: boolean
  }

export function Button({
  variant,
  size,
  asChild = false,
  loading = false,
  className,
  children,
  disabled,
  type = 'button',
  onClick,
  ...props
}: ButtonProps) {
  const styles = cn(buttonStyles({ variant, size }), className)
  if (asChild) {
    return (
      <Slot.Root className={styles} onClick={onClick} {...props}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button
      type={type}
      className={styles}
      disabled={disabled}
      onClick={loading ? refuse : onClick}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      {...props}
    >
      {loading && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  )
}

// Also prevents Enter from submitting the form through this button.
function refuse(event: MouseEvent): void {
  event.preventDefault()
}
