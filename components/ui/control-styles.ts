/** What input, textarea and select have in common. */
export const controlStyles =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface-1 text-base text-strong transition-colors disabled:cursor-not-allowed disabled:bg-surface-2 disabled:text-muted aria-invalid:border-error focus-visible:outline-2 focus-visible:outline-link focus-visible:-outline-offset-1'

/** For what is typed into: at 16 px phones do not zoom in. */
export const typedStyles = 'pointer-coarse:text-lg'

/** For an input that takes a file: its button looks like one. */
export const fileStyles =
  'h-auto py-1 pl-1 file:mr-3 file:h-6 file:rounded-sm file:border file:bg-surface-2 file:px-2 file:text-sm pointer-coarse:h-auto'
