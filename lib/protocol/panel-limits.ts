/** How many configurations a panel has (SPEC Q1). */
export const panelSize = { least: 2, most: 8 }
/** How often a member may ask for tools, unless the panel says otherwise; and the most that it may say. */
export const hopBudgets = { usual: 2, most: 20 }
