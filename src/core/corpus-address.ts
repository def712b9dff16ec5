/** How every address of a document of the run's corpus begins. */
export const CORPUS = 'corpus:///'
