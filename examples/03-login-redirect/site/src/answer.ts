/** What a page comes to: a text, or another place to go to. */
export type Answer = { readonly text: string } | { readonly goTo: string }
