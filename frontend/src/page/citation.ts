/** The name of the place that cites a source for the first, second, … time. */
export const citation = (source: string, time: number): string => `cite-${source}-${time}`;
