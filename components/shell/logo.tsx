import { cn } from '@/components/ui/cn'

/** Shows the logo, as in public/icon.svg. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={cn('size-6 shrink-0', className)}>
      <rect width="32" height="32" rx="6" className="fill-accent" />
      <path
        d="M8 24V10h16v14M8 16h16M16 10v14"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
