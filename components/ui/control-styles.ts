/** What input, textarea and select have in common. 16 px on touch screens keeps phones from zooming in. */
export const controlStyles =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface-1 text-base text-strong transition-colors pointer-coarse:text-lg disabled:cursor-not-allowed disabled:bg-surface-2 disabled:text-muted aria-invalid:border-error focus-visible:outline-2 focus-visible:outline-link focus-visible:-outline-offset-1'
