import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const badgeStyles = cva('small-label rounded-sm px-1.5 [&_svg]:size-3', {
  variants: {
    tone: {
      neutral: 'bg-off-soft text-off',
      accent: 'bg-running-soft text-running',
      ok: 'bg-ok-soft text-ok',
      warning: 'bg-warning-soft text-warning',
      error: 'bg-error-soft text-error',
      waiting: 'bg-waiting-soft text-waiting',
    },
  },
  defaultVariants: { tone: 'neutral' },
})

/** Shows a fact in a word or two. For states use StatePill, which has an icon. */
export function Badge({
  tone,
  className,
  ...props
}: ComponentProps<'span'> & VariantProps<typeof badgeStyles>) {
  return <span className={cn(badgeStyles({ tone }), className)} {...props} />
}
